#!/usr/bin/env python3
#
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
"""PySpark: copies a folder to HDFS, makes a table there, prints what it reads of both.

spark.py write LOCAL REMOTE   by Hadoop's FileSystem of Spark's JVM
spark.py table REMOTE         writes a Parquet table of numbers
spark.py sums REMOTE OUTPUT   sha256 and path of all files, as sha256sum prints them
spark.py query REMOTE OUTPUT  what a query over the table answers

Several of these in one session: joined by "and".
"""
import sys

from pyspark.sql import SparkSession

ROWS = 400_000


def write(spark, local, remote):
    path = spark._jvm.org.apache.hadoop.fs.Path
    files = path(remote).getFileSystem(spark._jsc.hadoopConfiguration())
    files.copyFromLocalFile(False, True, path("file://" + local), path(remote))


def table(spark, remote):
    spark.range(ROWS).selectExpr("id", "sha2(cast(id AS string), 256) AS hash") \
        .coalesce(2).write \
        .option("mapreduce.fileoutputcommitter.marksuccessfuljobs", "false").parquet(remote)


def sums(spark, remote, output):
    rows = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(remote) \
        .selectExpr("sha2(content, 256) AS sum", "path").collect()
    base = spark._jvm.org.apache.hadoop.fs.Path(remote).toUri().getPath()
    with open(output, "w") as out:
        for row in rows:
            name = row["path"].split(base + "/", 1)[1]
            out.write(f"{row['sum']}  {name}\n")


def query(spark, remote, output):
    answer = spark.read.parquet(remote) \
        .selectExpr("count(*)", "sum(id)", "bit_xor(xxhash64(hash))").collect()[0]
    with open(output, "w") as out:
        out.write(" ".join(map(str, answer)) + "\n")


if __name__ == "__main__":
    session = SparkSession.builder.appName("hdfs-ppr-clients").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for step in " ".join(sys.argv[1:]).split(" and "):
        what, *arguments = step.split()
        {"write": write, "table": table, "sums": sums, "query": query}[what](session, *arguments)
    session.stop()
