#!/usr/bin/env bash
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

# Tests clients of other languages on a cluster of real processes whose daemons have the plugins.
# Each client reads the files that the other clients have written: while all DataNodes run, with two
# of twelve DataNodes down, and after the repair. The bytes must be equal each time. The clients are
# Hadoop's own, the project's, hdfs-native (Rust, called from Python) and PySpark.
#   clients.sh    exits with 1 if a byte differs, or if a client fails where it should not
# Takes some ten minutes. The script installs the Python packages into an environment of its own,
# it/.run/clients.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"
if [ $# -gt 0 ]; then
  header
  case $1 in -h|--help) exit 0 ;; *) exit 2 ;; esac
fi

pins=(pyspark==4.0.1 hdfs-native==0.14.7)
cluster=clients
home=$here/.run/clients
work=$home/work
venv=$home/venv
rs=RS-6-3-1024k
hh=HITCHHIKER-XORPLUS-6-3-1024k
ours=(-D fs.hdfs.impl=org.apache.hadoop.hdfs.PprFileSystem)
call_seconds=300

fail() { echo "clients.sh: $*" >&2; exit 1; }

mkdir -p "$home"
exec 9> "$home/lock"
flock -n 9 || fail "another one runs here"

python_environment() {
  local stamp=$venv/pins
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "${pins[*]}" ] && return
  step "installing ${pins[*]} into $venv"
  rm -rf "$venv"
  if ! { python3 -m venv "$venv" && timeout 1800 "$venv/bin/pip" install \
      --disable-pip-version-check "${pins[@]}"; } > "$home/pip.log" 2>&1; then
    tail -n 20 "$home/pip.log" >&2
    fail "the Python packages cannot be installed (on Debian, python3 -m venv wants python3-venv;" \
      "and there may be no wheel for $(python3 --version))"
  fi
  echo "${pins[*]}" > "$stamp"
}

finish() {
  local status=$?
  trap - EXIT
  "$here/cluster.sh" down --name "$cluster" > "$home/down.log" 2>&1 \
    || echo "clients.sh: the cluster cannot be ended, see $home/down.log" >&2
  if [ $status = 0 ]; then
    rm -rf "$work"
  else
    echo "clients.sh: failed; logs in $work and $here/.run/clusters/$cluster" >&2
  fi
  exit $status
}

tool() { # LOG TOOL ARGUMENT...
  local log=$work/$1.log
  shift
  timeout "$call_seconds" "$here/cluster.sh" exec --name "$cluster" "$@" > "$log" 2>&1
}

must() { # LOG TOOL ARGUMENT...
  tool "$@" || { tail -n 15 "$work/$1.log" >&2; fail "'${*:2}' failed"; }
}

native() { # LOG ARGUMENT...
  timeout "$call_seconds" "$venv/bin/python" "$here/clients/native.py" "${@:2}" \
    > "$work/$1.log" 2>&1
}

spark() { # LOG OPTION... -- ARGUMENT...
  local log=$work/$1.log
  local options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=$venv/bin/python timeout "$call_seconds" \
    "$venv/bin/spark-submit" --master 'local[2]' --driver-memory 1g --conf spark.ui.enabled=false \
    --conf "spark.local.dir=$work/spark" "${options[@]}" "$here/clients/spark.py" "$@" \
    > "$log" 2>&1
}

# Compares files, or checksums of files, with those that were written.
same() { # WHAT REFERENCE_SUMS FOLDER
  if ! (cd "$3" && sha256sum --quiet -c "$2") > "$work/compare.log" 2>&1 \
      || [ "$(find "$3" -type f | wc -l)" != "$(wc -l < "$2")" ]; then
    head -n 5 "$work/compare.log" >&2
    fail "$1: the bytes are NOT those that were written ($3 against $2)"
  fi
  echo "   $1: equal bytes, $(wc -l < "$2") files"
}

same_sums() { # WHAT REFERENCE_SUMS SUMS
  diff <(sort "$2") <(sort "$3") > "$work/compare.log" \
    || { head -n 5 "$work/compare.log" >&2; fail "$1: the bytes are NOT those that were written"; }
  echo "   $1: equal bytes, $(wc -l < "$2") files"
}

# A client that refuses to read a file with a clear error is also right, if the bytes that it does
# read are right.
refused() { # WHAT LOG WORDS [REFERENCE_SUMS FOLDER]
  if ! grep -q -e "$3" "$work/$2.log"; then
    tail -n 15 "$work/$2.log" >&2
    fail "$1: failed, and not with '$3'"
  fi
  local read=0
  if [ $# -gt 3 ] && [ -d "$5" ]; then
    read=$(find "$5" -type f ! -name '*._COPYING_' | wc -l)
    if (cd "$5" && sha256sum --ignore-missing -c "$4") 2> /dev/null | grep -v ': OK$' >&2; then
      fail "$1: refuses some files, and has read others WRONG"
    fi
  fi
  echo "   $1: $read files with equal bytes, then a refusal, '$(
    grep -m 1 -o -e "$3.\{0,70\}" "$work/$2.log")'"
}

# Reads all files with all clients, in one state of the cluster.
read_all() { # STATE, whether clients that cannot decode may refuse
  local state=$1 may_refuse=$2 code
  step "reading, $state"
  local at=$work/$state
  mkdir -p "$at"
  for code in rs hh; do
    must "$state-$code-ours" fs "${ours[@]}" -get "/$code" "$at/$code-ours"
    same "$code, our client" "$work/$code.sums" "$at/$code-ours"

    if tool "$state-$code-stock" fs -get "/$code" "$at/$code-stock"; then
      same "$code, Hadoop's client" "$work/$code.sums" "$at/$code-stock"
    elif [ $code = hh ] && $may_refuse; then
      refused "$code, Hadoop's client" "$state-$code-stock" "Cannot rebuild units" \
        "$work/$code.sums" "$at/$code-stock"
    else
      tail -n 15 "$work/$state-$code-stock.log" >&2
      fail "$code, Hadoop's client failed"
    fi

    if native "$state-$code-native" read "$url" "/$code" "$at/$code-native"; then
      same "$code, hdfs-native" "$work/$code.sums" "$at/$code-native"
    elif [ $code = hh ] && $may_refuse; then
      refused "$code, hdfs-native" "$state-$code-native" UnsupportedErasureCodingPolicy \
        "$work/$code.sums" "$at/$code-native"
    else
      tail -n 15 "$work/$state-$code-native.log" >&2
      fail "$code, hdfs-native failed"
    fi
  done

  spark "$state-rs-spark" -- sums "$url/rs" "$at/rs-spark.sums" \
      and query "$url/rs/table" "$at/query" \
    || { tail -n 15 "$work/$state-rs-spark.log" >&2; fail "rs, PySpark failed"; }
  same_sums "rs, PySpark" "$work/rs.sums" "$at/rs-spark.sums"
  spark "$state-spark-ours" "${with_jar[@]}" -- sums "$url/rs" "$at/rs-spark-ours.sums" \
      and sums "$url/hh" "$at/hh-spark-ours.sums" and query "$url/rs/table" "$at/query-ours" \
    || { tail -n 15 "$work/$state-spark-ours.log" >&2; fail "PySpark with our client failed"; }
  same_sums "rs, PySpark with our client" "$work/rs.sums" "$at/rs-spark-ours.sums"
  same_sums "hh, PySpark with our client" "$work/hh.sums" "$at/hh-spark-ours.sums"
  [ -f "$work/query" ] || cp "$at/query" "$work/query"
  cmp "$work/query" "$at/query" && cmp "$work/query" "$at/query-ours" \
    || fail "the query over the table has another answer than before"
  echo "   rs, PySpark's query over its table: $(cat "$work/query")"
}

groups() { # a line of fsck's, like 'Missing internal blocks'
  must fsck fsck /
  sed -n "s/^ $1:[[:space:]]*\([0-9]*\).*/\1/p" "$work/fsck.log" | tail -n 1
}

await() { # SECONDS WHAT COMMAND...: until it says yes
  local until=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ $SECONDS -lt $until ] || fail "not in time: $what"
    sleep 2
  done
}

live_nodes() { # returns 0 if exactly this number of DataNodes is live
  [[ "$(timeout 60 "$here/cluster.sh" status --name "$cluster")" == *"live DataNodes: $1 of"* ]]
}

is_whole() { [ "$(groups 'Missing internal blocks')" = 0 ]; }

repairs_done() {
  "$venv/bin/python" - "http://${url#hdfs://}" <<'END'
import json, sys, urllib.request
host = sys.argv[1].rsplit(":", 1)[0]
beans = json.load(urllib.request.urlopen(
    host + ":9870/jmx?qry=Hadoop:service=NameNode,name=PprNameNode", timeout=30))["beans"]
print(beans[0]["RepairsDone"] if beans else "none: no such MBean")
END
}

repair_began() { [[ "$(repairs_done)" =~ ^[1-9] ]]; }

python_environment
rm -rf "$work"
mkdir -p "$work"
trap finish EXIT
trap 'exit 130' INT TERM

step "starting twelve DataNodes, with the plugins and with repairs switched off"
off=(--conf dfs.namenode.replication.max-streams=0
  --conf dfs.namenode.replication.max-streams-hard-limit=0)
"$here/cluster.sh" up --name "$cluster" --network loopback --nodes 12 --plugin --namenode-plugin \
  "${off[@]}" > "$work/up.log" 2>&1 || { tail -n 20 "$work/up.log" >&2; fail "no cluster"; }
url=$(grep -o 'hdfs://[0-9.:]*' "$work/up.log" | head -n 1)
jar=$(jar hdfs-ppr-client hdfs-ppr-client dropin)
files_jar=$(jar hdfs-ppr-files-client hdfs-ppr-files-client dropin)
[ -f "$jar" ] && [ -f "$files_jar" ] || fail "$jar or $files_jar is not built"
spark_ours=(--conf spark.hadoop.fs.hdfs.impl=org.apache.hadoop.hdfs.PprFileSystem
  --conf spark.hadoop.fs.AbstractFileSystem.hdfs.impl=org.apache.hadoop.fs.PprHdfs)
with_jar=(--conf "spark.driver.extraClassPath=$jar:$files_jar"
  --conf "spark.executor.extraClassPath=$jar:$files_jar"
  "${spark_ours[@]}")

must policies ec -addPolicies -policyFile "$root/conf/ec-policies.xml"
for policy in $rs $hh; do
  must enable ec -enablePolicy -policy $policy
done
must mkdir fs -mkdir /rs /hh /foreign
must policy-rs ec -setPolicy -path /rs -policy $rs
must policy-hh ec -setPolicy -path /hh -policy $hh
must policy-foreign ec -setPolicy -path /foreign -policy $hh
must mkdirs fs -mkdir /rs/stock /rs/ours /rs/native /rs/spark /hh/stock /hh/ours /hh/spark

step "writing"
# The sizes of the files: one byte, a cell and one more byte, two whole stripes, and three stripes
# and a part of a cell.
"$venv/bin/python" - "$work/files" <<'END'
import os, random, sys
os.makedirs(sys.argv[1])
seed = 20261123
print("seed", seed)
source = random.Random(seed)
for size in (1, (1 << 20) + 1, 12 << 20, (18 << 20) + 777_777):
    with open(os.path.join(sys.argv[1], f"f{size}"), "wb") as out:
        out.write(source.randbytes(size))
END
files=("$work"/files/*)
for code in rs hh; do
  must "put-$code-stock" fs -put "${files[@]}" "/$code/stock"
  must "put-$code-ours" fs "${ours[@]}" -put "${files[@]}" "/$code/ours"
done
native put-rs-native write "$url" "$work/files" /rs/native \
  || { tail -n 15 "$work/put-rs-native.log" >&2; fail "hdfs-native cannot write"; }
spark put-rs-spark -- write "$work/files" "$url/rs/spark/files" and table "$url/rs/table" \
  || { tail -n 15 "$work/put-rs-spark.log" >&2; fail "PySpark cannot write"; }
spark put-hh-spark "${with_jar[@]}" -- write "$work/files" "$url/hh/spark/files" \
  || { tail -n 15 "$work/put-hh-spark.log" >&2; fail "PySpark cannot write with our codecs"; }
(cd "$work/files" && sha256sum f*) > "$work/files.sums"
for code in rs hh; do
  folders=(stock ours spark/files)
  [ $code = hh ] || folders+=(native)
  for folder in "${folders[@]}"; do
    sed "s,  ,  $folder/," "$work/files.sums"
  done > "$work/$code.sums"
done
# Spark decides about the bytes of its table. All clients must read what Hadoop's client reads of it
# now.
must table fs -get /rs/table "$work/table"
(cd "$work" && find table -type f ! -name '.*' -exec sha256sum {} +) >> "$work/rs.sums"

step "Spark's --jars, which is below Hadoop's class loader"
if spark jars --jars "$jar" "${spark_ours[@]}" -- sums "$url/hh" "$work/jars.sums"; then
  fail "PySpark with --jars should be refused"
fi
refused "hh, PySpark with --jars" jars "Put the jar of hdfs-ppr where Hadoop's own jars are"

step "hdfs-native under a policy of ours"
if native put-hh-native write "$url" "$work/files" /foreign; then
  tool verify debug -D dfs.datanode.ec.reconstruction.stripedread.buffer.size=1048576 \
    verifyEC -file "/foreign/f$(((18 << 20) + 777777))" || true
  if grep -q 'EC compute result not match' "$work/verify.log"; then
    echo "   hh, hdfs-native writes, and its parities are NOT the codec's ('hdfs debug verifyEC':" \
      "EC compute result not match): it must not write under such policies"
  else
    grep -q 'Status: OK' "$work/verify.log" || fail "verifyEC says neither, see $work/verify.log"
    echo "   hh, hdfs-native writes, and its parities are the codec's"
  fi
else
  echo "   hh, hdfs-native does not write: $(tail -n 1 "$work/put-hh-native.log" | cut -c1-120)"
fi
must unforeign fs -rm -r -skipTrash /foreign

await 60 "every unit that was written is reported" is_whole
read_all healthy false

step "killing two DataNodes"
for node in dn2 dn9; do
  "$here/cluster.sh" kill-node --name "$cluster" $node > "$work/kill-$node.log"
done
await 90 "the NameNode misses them" live_nodes 10
lost=$(groups 'Missing internal blocks')
[ "${lost:-0}" -gt 0 ] || fail "nothing is lost"
echo "   $lost units are lost"
read_all degraded true
[ "$(groups 'Missing internal blocks')" = "$lost" ] || fail "something was repaired too early"

step "repairing"
sed -i -E 's,(replication\.max-streams(-hard-limit)?</name><value>)0<,\150<,g' \
  "$here/.run/clusters/$cluster/nn/conf/hdfs-site.xml"
must reconfig dfsadmin -reconfig namenode "${url#hdfs://}" start
await 240 "all units are back" is_whole
repair_began || fail "the plugin has repaired nothing (RepairsDone: $(repairs_done))"
echo "   nothing is missing; repairs done by the plugin's orders: $(repairs_done)"
read_all repaired false

step "equal bytes, whichever client wrote and whichever read them"
