/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.bench.papers;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws the paper's values and ours. Series differ in their lightness, and lines also in markers
 * and dashes, so that a print in grey can be read. The paper's values are markers: on dashed lines,
 * or alone between bars.
 */
final class FigureChart {
  /** A chart is drawn with fewer points than this: more would lie on each other. */
  private static final int POINTS_MAX = 400;
  private static final int WIDTH = 900;
  private static final int PLOT_HEIGHT = 400;
  private static final int LEGEND_LINE = 24;
  private static final int LABEL_CHARS = 60;
  /** From this number of characters on, labels below the axis would touch each other. */
  private static final int AXIS_CHARS_MAX = 70;
  private static final int SLANT = 30;
  /** How far a slanted label goes down for each of its characters, pixels. */
  private static final int SLANTED_CHAR = 5;
  /** The plot has at least this height for the title of its y axis, pixels. */
  private static final float Y_TITLE_MAX = 280f;
  /** The width of a bold character, in parts of the font's size. */
  private static final float BOLD_CHAR = 0.65f;
  private static final float WIDE = 2f;
  private static final String PAPER = "paper: ";
  /** The lightness of the first four is that of four steps of grey, and neighbours differ. */
  private static final Color[] COLOURS = {new Color(0x10, 0x2a, 0x5e), new Color(0xd9, 0x8a, 0x1f),
    new Color(0x3f, 0x7d, 0x5a), new Color(0xb5, 0xdc, 0xef), new Color(0x8c, 0x1d, 0x18),
    new Color(0xa9, 0xc9, 0x6b), new Color(0x5a, 0x2d, 0x82), new Color(0xe8, 0xc8, 0xc0)};
  private static final Marker[] MARKERS = {SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE,
    SeriesMarkers.TRIANGLE_UP, SeriesMarkers.DIAMOND, SeriesMarkers.OVAL,
    SeriesMarkers.TRIANGLE_DOWN, SeriesMarkers.RECTANGLE, SeriesMarkers.TRAPEZOID};
  private static final float[][] DASHES = {null, {10, 5}, {2, 4}, {12, 4, 2, 4}, {6, 3},
    {16, 6}, {4, 8}, {10, 3, 2, 3, 2, 3}};

  private final PartResult result;

  FigureChart(PartResult result) {
    this.result = result;
  }

  /** {@return whether there are points to draw} */
  boolean isDrawn() {
    int points = 0;
    for (Map<String, Double> series : series().values()) {
      points += series.size();
    }
    return result.isMeasured() && points > 0 && points < POINTS_MAX;
  }

  /** {@return whether a table of the values would say nothing more to a reader} */
  boolean isAlone() {
    return result.part.chartOnly && isDrawn();
  }

  /** {@return the chart as a PNG file} */
  byte[] png() throws IOException {
    Chart<?, ?> chart = isLines() ? lines() : bars();
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideS);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Vertical);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    chart.getStyler().setPlotBackgroundColor(Color.WHITE);
    AxesChartStyler axes = (AxesChartStyler) chart.getStyler();
    Font font = axes.getAxisTitleFont();
    float fitting = Y_TITLE_MAX / (BOLD_CHAR * yTitle().length());
    axes.setAxisTitleFont(font.deriveFont(Math.min(font.getSize2D(), fitting)));
    return BitmapEncoder.getBitmapBytes(chart, BitmapEncoder.BitmapFormat.PNG);
  }

  /** A line needs two points. */
  private boolean isLines() {
    return result.part.numeric && categories(series()).size() > 1;
  }

  /**
   * {@return each series' value at each x} A value that the paper prints for all points is a line
   * across them.
   */
  Map<String, Map<String, Double>> series() {
    Map<String, Map<String, Double>> series = new LinkedHashMap<>();
    for (ResultRow row : result.rows) {
      row.ours().ifPresent(ours -> put(series, row.series, row.x, ours.median));
    }
    Set<String> points = new LinkedHashSet<>();
    result.rows.stream().map(row -> row.x).filter(x -> !x.isEmpty()).forEach(points::add);
    for (ResultRow row : result.rows) {
      row.paper().ifPresent(paper -> {
        for (String x : paper.x.isEmpty() ? points : Set.of(paper.x)) {
          put(series, PAPER + row.series, x, paper.value);
          paper.most().ifPresent(most ->
              put(series, PAPER + row.series + ", upper end", x, most));
        }
      });
    }
    return series;
  }

  private boolean isForAllPoints(String name) {
    return result.rows.stream().anyMatch(row -> name.startsWith(PAPER + row.series)
        && row.paper().isPresent() && row.paper().get().x.isEmpty());
  }

  private void put(Map<String, Map<String, Double>> series, String name, String x, double value) {
    if (!result.part.logarithmic || value > 0) {
      String shown = name.length() <= LABEL_CHARS ? name : name.substring(0, LABEL_CHARS) + "...";
      series.computeIfAbsent(shown, none -> new LinkedHashMap<>()).put(x, value);
    }
  }

  private int height(int seriesCount) {
    return PLOT_HEIGHT + LEGEND_LINE * seriesCount;
  }

  private String yTitle() {
    String unit = result.part.unit;
    return unit.contains(result.part.yTitle) ? unit
        : result.part.yTitle + " (" + unit + ")";
  }

  private Chart<?, ?> lines() {
    Map<String, Map<String, Double>> all = series();
    XYChart chart = new XYChartBuilder().width(WIDTH).height(height(all.size()))
        .title(result.part.title).xAxisTitle(result.part.xTitle).yAxisTitle(yTitle())
        .build();
    chart.getStyler().setYAxisLogarithmic(result.part.logarithmic);
    chart.getStyler().setMarkerSize(9);
    int place = 0;
    for (Map.Entry<String, Map<String, Double>> one : all.entrySet()) {
      TreeMap<Double, Double> points = new TreeMap<>();
      one.getValue().forEach((x, value) -> points.put(number(x), value));
      XYSeries series = chart.addSeries(one.getKey(), new ArrayList<>(points.keySet()),
          new ArrayList<>(points.values()));
      series.setLineColor(COLOURS[place % COLOURS.length]);
      // A cross sticks out where the paper's value lies on ours.
      boolean isPaper = one.getKey().startsWith(PAPER);
      series.setMarkerColor(isPaper ? Color.BLACK : COLOURS[place % COLOURS.length]);
      series.setMarker(isPaper ? SeriesMarkers.CROSS : MARKERS[place % MARKERS.length]);
      series.setLineStyle(stroke(one.getKey(), place));
      place++;
    }
    return chart;
  }

  private double number(String x) {
    try {
      return Double.parseDouble(x);
    } catch (NumberFormatException e) {
      throw new IllegalStateException("'" + result.part.title + "' is numeric, and '" + x
          + "' on its x axis is no number: take \"numeric\" out of the data file", e);
    }
  }

  private Chart<?, ?> bars() {
    Map<String, Map<String, Double>> all = series();
    List<String> categories = categories(all);
    boolean isSlanted = String.join(" ", categories).length() > AXIS_CHARS_MAX;
    int slanted = isSlanted
        ? SLANTED_CHAR * categories.stream().mapToInt(String::length).max().orElse(0) : 0;
    CategoryChart chart = new CategoryChartBuilder().width(WIDTH)
        .height(height(all.size()) + slanted)
        .title(result.part.title).xAxisTitle(result.part.xTitle).yAxisTitle(yTitle())
        .build();
    chart.getStyler().setYAxisLogarithmic(result.part.logarithmic);
    if (result.part.logarithmic) {
      // Bars begin at zero otherwise, which such an axis does not have.
      chart.getStyler().setYAxisMin(Math.pow(10, Math.ceil(log(all).min().orElse(0)) - 1));
      // Only powers of ten have labels there: at least both ends of the axis have one then.
      chart.getStyler().setYAxisMax(Math.pow(10, Math.ceil(log(all).max().orElse(0))));
    }
    chart.getStyler().setAvailableSpaceFill(0.8);
    chart.getStyler().setMarkerSize(11);
    if (isSlanted) {
      chart.getStyler().setXAxisLabelRotation(SLANT);
    }
    int place = 0;
    for (Map.Entry<String, Map<String, Double>> one : all.entrySet()) {
      List<Double> values = new ArrayList<>();
      // A null leaves a gap.
      categories.forEach(category -> values.add(one.getValue().get(category)));
      CategorySeries series = chart.addSeries(one.getKey(), categories, values);
      series.setFillColor(COLOURS[place % COLOURS.length]);
      series.setMarkerColor(Color.BLACK);
      series.setMarker(MARKERS[place % MARKERS.length]);
      if (one.getKey().startsWith(PAPER)) {
        boolean isLine = isForAllPoints(one.getKey());
        series.setChartCategorySeriesRenderStyle(isLine
            ? CategorySeries.CategorySeriesRenderStyle.Line
            : CategorySeries.CategorySeriesRenderStyle.Scatter);
        series.setLineColor(COLOURS[place % COLOURS.length]);
        series.setLineStyle(stroke(one.getKey(), place));
      }
      place++;
    }
    return chart;
  }

  private static DoubleStream log(Map<String, Map<String, Double>> all) {
    return all.values().stream().flatMap(points -> points.values().stream())
        .mapToDouble(Math::log10);
  }

  private static List<String> categories(Map<String, Map<String, Double>> all) {
    Set<String> categories = new LinkedHashSet<>();
    all.entrySet().stream()
        .sorted(Comparator.comparing(one -> one.getKey().startsWith(PAPER)))
        .forEach(one -> categories.addAll(one.getValue().keySet()));
    return new ArrayList<>(categories);
  }

  private static BasicStroke stroke(String name, int place) {
    float[] dash = name.startsWith(PAPER) && DASHES[place % DASHES.length] == null ? DASHES[1]
        : DASHES[place % DASHES.length];
    return new BasicStroke(WIDE, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, WIDE, dash, 0);
  }
}
