# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Clusters that are not there: for each scenario, the documents that a NameNode would serve.

A world has a clock of its own. The same scenario at the same second is always the same.
"""

import datetime
import random

BASE = datetime.datetime(2026, 3, 3, 12, 0, 0, tzinfo=datetime.timezone.utc)
MIB = 1024 * 1024
GIB = 1024 * MIB
UNIT = 128 * MIB
FIRST_BLOCK = -9223372036854775792
STEP_S = 10
LIST_MAX = 1000


def stamp(second):
  moment = BASE + datetime.timedelta(seconds=second)
  return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment.microsecond // 1000)


def block(index, unit=0):
  return "blk_%d" % (FIRST_BLOCK + 16 * index + unit)


class World:
  """An idle cluster. Scenarios are subclasses, which override what differs."""

  name = "idle"
  racks = 3
  nodes_per_rack = 6
  state = "ok"
  headline = "All erasure-coded groups are whole; 18 of 18 DataNodes take part"
  total = 0  # groups that were lost at second 0
  running = 0
  groups_per_s = 0.0
  bad = 0

  def __init__(self):
    self.second = 0
    self.fault = None  # a status code, or "drop", instead of every answer
    self.random = random.Random(self.name)
    self.node_list = [self.node(rack, i) for rack in range(self.racks)
                      for i in range(self.nodes_per_rack)]

  def node(self, rack, i):
    number = rack * self.nodes_per_rack + i + 1
    return {"uuid": "%08x-77aa-4c1e-9d53-%012x" % (number * 2654435761 % 2**32, number),
            "node": "dn%d.example.com:9866" % number, "host": "dn%d.example.com" % number,
            "rack": "/rack%d" % (rack + 1), "weight": self.random.random()}

  # What has happened by now

  def done(self):
    return min(self.total, int(self.second * self.groups_per_s))

  def in_flight(self):
    return min(self.running, self.total - self.done())

  def waiting(self):
    return self.total - self.done() - self.in_flight()

  def rate(self):
    return self.groups_per_s * UNIT if self.done() < self.total else 0.0

  # The documents

  def document(self, path):
    """Returns the document of a path below /ppr; None if there is none."""
    name = path[len("/v1/"):] if path.startswith("/v1/") else ""
    if name.startswith("explain/"):
      return self.explain(name[len("explain/"):])
    make = {"status": self.status, "history": self.history, "repairs": self.repairs,
            "groups": self.groups, "nodes": self.nodes, "doubts": self.doubts,
            "doctor": self.doctor, "verification": self.verification, "conversions": self.conversions}.get(name)
    return make() if make else None

  def status(self):
    left = (self.waiting() + self.in_flight()) * UNIT
    rate = self.rate()
    todo = self.waiting() + self.in_flight()
    return {
        "version": 1, "software": "0.2.0", "made": stamp(self.second), "cycle": 4000 + self.second,
        "block_pool": "BP-722905303-10.0.0.1-1795183644878", "state": self.state,
        "headline": self.headline, "in_charge": True, "why": "", "term": 3, "scheduler": "balanced",
        "listening": False, "groups_queued": self.waiting(), "queue": self.queue(),
        "unrecoverable": 0, "at_risk": sum(q["groups"] for q in self.queue()
                                           if q["spare_units"] == 0),
        "read_degraded": 0, "waiting_for_stock": 0, "with_stock": 0, "handed_to_stock": 0,
        "repairs_in_flight": self.in_flight(), "repairs_in_flight_max": 100, "bytes_left": left,
        "bytes_per_s": rate, "eta_s": left / rate if rate and todo else None,
        "eta_bound_s": 0.93 * left / rate if rate and todo else None, "repairs_done": self.done(),
        "repairs_failed": self.bad, "bytes_rebuilt": self.done() * UNIT,
        "agents": sum(1 for n in self.node_list if self.takes_part(n)),
        "data_nodes": len(self.node_list),
        "quarantined": sum(1 for n in self.node_list if self.kept_out(n)), "doubted": 0,
        "suspected": 0, "pause": None, "left_to_stock": None, "reasons": self.reasons(), "busiest": self.busiest(),
        "losses": self.losses(), "lock": {"holds": 4000, "held_ms": 812.5, "longest_ms": 3.1}}

  def queue(self):
    waiting = self.waiting()
    none = min(2, waiting)
    few = min(waiting - none, waiting // 6)
    rows = [{"spare_units": 0, "groups": none}, {"spare_units": 1, "groups": few},
            {"spare_units": 2, "groups": waiting - none - few}]
    return [row for row in rows if row["groups"]]

  def reasons(self):
    counts = {}
    for group in self.all_groups():
      counts.setdefault((group["reason"], group["text"]), []).append(group)
    return [{"code": code, "groups": len(groups), "text": text}
            for (code, text), groups in sorted(counts.items(), key=lambda kv: -len(kv[1]))]

  def busiest(self):
    rows = sorted(self.all_nodes(), key=lambda n: -n["busy_s"])[:5]
    return [{k: n[k] for k in ("node", "uuid", "busy_s")} for n in rows if n["busy_s"] > 0]

  def losses(self):
    return []

  def history(self):
    rates, queued, running = [], [], []
    for i in range(360):
      at = self.second - (359 - i) * STEP_S
      inside = 0 <= at and self.total and at * self.groups_per_s < self.total
      wobble = 0.85 + 0.3 * random.Random(at // STEP_S).random()
      rates.append(round(self.groups_per_s * UNIT * wobble * min(1, (at + 10) / 40)) if inside else 0)
      queued.append(max(0, self.total - self.running - int(at * self.groups_per_s)) if at >= 0 else 0)
      running.append(min(self.running, self.total) if inside else 0)
    return {"step_s": STEP_S, "end": stamp(self.second), "bytes_per_s": rates,
            "groups_queued": queued, "repairs_in_flight": running}

  def repairs(self):
    first = self.done()
    rows = [self.repair(i) for i in range(first, first + self.in_flight())]
    return {"total": len(rows), "truncated": False, "repairs": rows}

  def repair(self, i):
    rng = random.Random("repair %d" % i)
    nodes = rng.sample(self.node_list[1:], 7)
    hop = lambda node, units, children: {"node": node["node"], "uuid": node["uuid"],
                                         "units": units, "children": children}
    lost = rng.randrange(9)
    units = [u for u in range(9) if u != lost][:6]
    topology = ("chain", "rack", "star")[i % 3]
    if topology == "chain":
      tree = None
      for node, unit in zip(nodes[1:], units):
        tree = hop(node, [unit], [tree] if tree else [])
      tree = hop(nodes[0], [], [tree])
    elif topology == "star":
      tree = hop(nodes[0], [], [hop(n, [u], []) for n, u in zip(nodes[1:], units)])
    else:
      left = hop(nodes[1], [units[0]], [hop(nodes[2], [units[1]], [hop(nodes[3], [units[2]], [])])])
      right = hop(nodes[4], [units[3]], [hop(nodes[5], [units[4]], []), hop(nodes[6], [units[5]], [])])
      tree = hop(nodes[0], [], [left, right])
    began = (i - self.running) / self.groups_per_s if self.groups_per_s else 0
    share = max(0.0, min(0.99, (self.second - began) / (self.running / self.groups_per_s)))
    return {"id": "196608-%d" % i, "group": block(i), "policy": "RS-6-3-1024k", "state": "transfer",
            "done_percent": int(100 * share), "started": stamp(began), "deadline": stamp(began + 600),
            "destination": {"uuid": nodes[0]["uuid"], "node": nodes[0]["node"]}, "units": [lost],
            "topology": topology, "tree": tree}

  def all_groups(self):
    first = self.done() + self.in_flight()
    return [self.group(i, i - first) for i in range(first, self.total)]

  def group(self, i, place):
    waiting = self.waiting()
    none = min(2, waiting)
    spare = 0 if place < none else 1 if place < none + waiting // 6 else 2
    reason, text, failures = "queued", "its turn has not come: the links of its nodes are busy", 0
    if i % 29 == 7:
      reason, text, failures = "backoff", "two attempts failed; it waits before the next one", 2
    return {"group": block(i), "policy": "RS-6-3-1024k", "spare_units": spare,
            "lost_units": [i % 9, (i + 4) % 9, (i + 7) % 9][:3 - spare], "since": stamp(0), "reason": reason,
            "text": text, "failures": failures,
            "next_try": stamp(self.second + 20) if failures else None,
            "read_degraded": i % 31 == 3, "prioritized": False}

  def groups(self):
    rows = self.all_groups()
    return {"total": len(rows), "truncated": len(rows) > LIST_MAX, "groups": rows[:LIST_MAX]}

  def takes_part(self, node):
    return not self.kept_out(node)

  def kept_out(self, node):
    return None

  def all_nodes(self):
    todo = self.waiting() + self.in_flight()
    rows = []
    for node in self.node_list:
      part = self.takes_part(node)
      load = node["weight"] * min(1.0, todo / 60) if part and self.groups_per_s else 0.0
      rows.append({
          "uuid": node["uuid"], "node": node["node"], "host": node["host"], "rack": node["rack"],
          "takes_part": part, "software": "0.2.0" if part or self.kept_out(node) else None,
          "kernel": "gfni" if part else None, "repairs_as_destination": int(3 * load),
          "repairs_as_helper": int(9 * load), "helping": int(9 * load), "receiving": int(3 * load),
          "pending_up_bytes": int(9 * load * UNIT), "pending_down_bytes": int(8 * load * UNIT),
          "busy_s": round(24 * load, 2), "up_bytes_per_s": round(115 * MIB * load),
          "down_bytes_per_s": round(98 * MIB * load), "link_bytes_per_s": 125000000,
          "last_heartbeat_s": round(0.2 + 0.7 * node["weight"], 1), "quarantined": self.kept_out(node)})
    return rows

  def nodes(self):
    rows = self.all_nodes()
    return {"total": len(rows), "truncated": len(rows) > LIST_MAX, "nodes": rows[:LIST_MAX]}

  def doubts(self):
    return {"total": 0, "truncated": False, "doubts": []}

  def explain(self, group):
    rows = {row["group"]: row for row in self.all_groups()}
    if group in rows:
      return {"group": group, "state": "waiting", "cause": "queued",
              "text": "The group waits because the links of the nodes that would send are busy with "
                      "groups that have fewer spare units.",
              "tried": ["At 12:00:09 dn4.example.com:9866 had 8 repairs, its limit."],
              "next": "It is looked at again in the next cycle, within a second.",
              "commands": ["hdfs ppr -prioritize " + group]}
    return {"group": group, "state": "whole", "cause": "whole", "tried": [], "next": None,
            "text": "The NameNode misses no unit of this group.", "commands": []}

  def doctor(self):
    return {"findings": [], "nodes": []}

  def verification(self):
    return None

  def conversions(self):
    return {"version": 1, "total": 0, "truncated": False, "jobs": []}


class Loss(World):
  name = "loss"
  state = "repairing"
  total = 960
  running = 30
  groups_per_s = 2.4
  bad = 3

  @property
  def headline(self):
    return ("Rebuilds what dn1.example.com:9866 had: %d of %d groups are whole again"
            % (self.done(), self.total))

  @headline.setter
  def headline(self, _):
    pass

  def takes_part(self, node):
    return super().takes_part(node) and node is not self.node_list[0]

  def kept_out(self, node):
    return "3 of its repairs failed a check" if len(self.node_list) > 11 and node is self.node_list[11] else None

  def losses(self):
    left = self.waiting() + self.in_flight()
    gone = self.node_list[0]
    old = self.node_list[8]
    return [{"node": gone["node"], "uuid": gone["uuid"], "since": stamp(0),
             "ended": None if left else stamp(self.total / self.groups_per_s), "groups": self.total,
             "groups_left": left, "bytes": self.total * UNIT, "bytes_left": left * UNIT},
            {"node": old["node"], "uuid": old["uuid"], "since": stamp(-9000), "ended": stamp(-8655),
             "groups": 812, "groups_left": 0, "bytes": 812 * UNIT, "bytes_left": 0}]

  def verification(self):
    return {"version": 1, "state": "waiting", "why": "repairs go first: 930 groups wait, 30 repairs are under way",
            "bytes_per_s_per_node": 4 * MIB, "total": 2, "truncated": False,
            "directories": [
                {"path": "/warehouse", "id": 1, "last_finished": stamp(-4000), "started": None, "pass": 3,
                 "groups": 3000, "groups_checked": 2998, "contradictions": 1, "not_checked": 2, "bytes": 27000 * MIB,
                 "last_groups_checked": 2998, "last_contradictions": 1, "last_not_checked": 2},
                {"path": "/logs", "id": 2, "last_finished": None, "started": stamp(-4000), "pass": 1,
                 "groups": 1211, "groups_checked": 1211, "contradictions": 0, "not_checked": 0, "bytes": 9000 * MIB,
                 "last_groups_checked": 0, "last_contradictions": 0, "last_not_checked": 0}],
            "findings_total": 1,
            "findings": [
                {"at": stamp(-5000), "group": "blk_-9223372036854775712", "result": "contradiction", "wrong_unit": 4,
                 "node": "dn3.example.com:9866",
                 "text": "unit 4 (blk_-9223372036854775708 on dn3.example.com:9866) is wrong"}]}


  def conversions(self):
    def job(name, state, **fields):
      return dict({"job": name, "state": state, "why": "", "policy": "HITCHHIKER-XORPLUS-10-4-1024k", "dry_run": False,
                   "submitted": stamp(-4000), "started": stamp(-3900), "ended": None, "running_files": 0,
                   "total_files": 4000, "refused": 3, "converted": 1200, "already": 0, "changed": 1, "failed": 0,
                   "directories": 1, "bytes_passed": 120 * UNIT, "bytes_converted": 119 * UNIT, "groups": 1300,
                   "bytes_linked": 1000 * UNIT, "bytes_copied": 0, "bytes_made": 40 * UNIT, "bytes_moved": 500 * UNIT,
                   "space_before": 0, "space_after": 0, "repair_before": 0, "repair_after": 0,
                   "total_bytes": 400 * UNIT, "bytes_per_s": 20.0 * MIB, "left_s": 1790.0,
                   "refused_by_reason": {"open": 2, "in_use": 1}}, **fields)
    return {"version": 1, "total": 2, "truncated": False, "jobs": [
        job("convert-20260102-030405-a1b2c3", "running", running_files=8, why="repairs go first: 930 groups wait"),
        job("dry", "done", dry_run=True, ended=stamp(-100), bytes_per_s=None, left_s=None)]}


class AtRisk(Loss):
  name = "at-risk"
  state = "at_risk"

  @property
  def headline(self):
    return "2 groups have no spare unit left; %d groups are to be repaired" % (
        self.waiting() + self.in_flight())

  @headline.setter
  def headline(self, _):
    pass


class Doubt(World):
  name = "doubt"
  state = "ok"
  headline = "1 group is in doubt: its units contradict each other; all other groups are whole"

  def status(self):
    return dict(super().status(), doubted=1, suspected=1)

  def doubts(self):
    return {"total": 2, "truncated": False, "doubts": [
        {"group": block(5), "since": stamp(-1260), "certain": True,
         "suspects": [self.node_list[2]["node"], self.node_list[7]["node"]],
         "suspected_units": [{"unit": 3, "block": block(5, 3), "node": self.node_list[2]["node"]},
                             {"unit": 8, "block": block(5, 8), "node": None}],
         "text": "The units contradict each other and their checksums are right. Nothing is rebuilt "
                 "from them unchecked. Write the file anew from a good copy, or take a suspect's unit "
                 "away; docs/contradicting-units.md says how."},
        {"group": block(9), "since": stamp(-31), "certain": False, "suspects": [self.node_list[4]["node"]],
         "suspected_units": [{"unit": 0, "block": block(9), "node": self.node_list[4]["node"]}],
         "text": "A check failed once. Another node repairs the group with all bytes checked."}]}


class Half(World):
  name = "half-installed"
  state = "not_in_charge"
  headline = "hdfs-ppr does not schedule repairs: only 5 of 18 DataNodes take part"
  total = 40

  def takes_part(self, node):
    return self.node_list.index(node) < 5

  def status(self):
    return dict(super().status(), in_charge=False, waiting_for_stock=40, at_risk=0,
                why="RS-6-3-1024k needs at least 9 DataNodes that take part, and 5 do")

  def group(self, i, place):
    return dict(super().group(i, place), reason="stock", spare_units=2, lost_units=[i % 9], failures=0,
                next_try=None, text="HDFS itself repairs it while hdfs-ppr is not in charge")

  def queue(self):
    return [{"spare_units": 2, "groups": self.waiting()}]

  def doctor(self):
    absent = [n["node"] for n in self.node_list if not self.takes_part(n)]
    return {"nodes": [], "findings": [
        {"severity": "error", "code": "plugin_missing", "nodes": absent,
         "text": "13 DataNodes have no hdfs-ppr",
         "remedy": "Install the jar there, set dfs.datanode.plugins, and restart them one after the other."},
        {"severity": "warning", "code": "kernel_java", "nodes": [self.node_list[3]["node"]],
         "text": "One DataNode calculates in Java, several times slower than its processor could",
         "remedy": "Look for 'kernel' in its log: glibc may be older than the kernels need."},
        {"severity": "ok", "code": "clocks", "nodes": [], "text": "All clocks agree within 2 s", "remedy": ""}]}


class Standby(World):
  name = "standby"
  state = "standby"
  headline = "This NameNode is on standby; the active NameNode repairs"

  def status(self):
    return dict(super().status(), in_charge=False, why="standby", agents=18)


class Paused(Loss):
  name = "paused"
  state = "paused"

  def status(self):
    return dict(super().status(), bytes_per_s=0.0, eta_s=None, repairs_in_flight=0,
                headline="Repairs are paused; 900 groups wait",
                pause={"since": stamp(self.second - 60), "until": stamp(self.second + 3540)})


class Stuck(Loss):
  name = "stuck"
  state = "stuck"

  def group(self, i, place):
    return dict(super().group(i, place), reason="no_destination",
                text="no DataNode may take a unit: all racks that are left have one already")

  def status(self):
    return dict(super().status(), bytes_per_s=0.0, eta_s=None,
                headline="Nothing has advanced for 4 minutes; 960 groups are to be repaired")


class DataLost(Loss):
  name = "data-lost"
  state = "data_lost"

  def queue(self):
    rows = super().queue()
    return [{"spare_units": -1, "groups": 1}] + [dict(row, groups=row["groups"] - (row["spare_units"] == 2))
                                                 for row in rows]

  def group(self, i, place):
    group = super().group(i, place)
    if place == 0:
      group.update(spare_units=-1, lost_units=[0, 2, 5, 8], reason="too_few_sources",
                   text="4 of its 9 units are lost, and 3 may be; nothing can rebuild it")
    return group

  def status(self):
    return dict(super().status(), unrecoverable=1,
                headline="1 group has lost more units than RS-6-3 can rebuild")


class Hostile(Loss):
  """Every text of the server is markup. The page has to show it as text."""

  name = "hostile"
  EVIL = "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"

  def document(self, path):
    found = super().document(path)
    return self.spoil(found) if found else None

  def spoil(self, value, key=""):
    if isinstance(value, dict):
      return {k: self.spoil(v, k) for k, v in value.items()}
    if isinstance(value, list):
      return [self.spoil(v, key) for v in value]
    if isinstance(value, str) and key in (
        "headline", "why", "text", "node", "rack", "policy", "topology", "software", "kernel", "state",
        "remedy", "next", "tried", "suspects", "id", "block_pool", "scheduler"):
      return value + self.EVIL if key != "state" or value != self.state else value
    return value


class Big(Loss):
  name = "big"
  racks = 40
  nodes_per_rack = 25
  total = 15000
  running = 1000
  groups_per_s = 40.0


class Off(World):
  """The plugin has stopped: every document is refused."""

  name = "off"

  def __init__(self):
    super().__init__()
    self.fault = 503


class Starting(World):
  name = "starting"

  def __init__(self):
    super().__init__()
    self.fault = 404


SCENARIOS = {world.name: world for world in (
    World, Loss, AtRisk, Doubt, Half, Standby, Paused, Stuck, DataLost, Hostile, Big, Off, Starting)}
