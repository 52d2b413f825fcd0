#!/bin/sh
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

# Writes what a release contains: SHA512SUMS with the checksum of each file of lib/, and
# sbom.cdx.json, a CycloneDX 1.5 document with each jar and with what others have written of it. The
# plugin of CycloneDX knows neither relocated packages nor what the native library is made of.
#   contents.sh FOLDER_WITH_LIB VERSION TIME PICOCLI_VERSION CAFFEINE_VERSION
set -eu

target=$1
version=$2
time=$3
picocli=$4
caffeine=$5
cd "$target"
sha512sum lib/* > SHA512SUMS

read -r glibc < lib/native-glibc
# The header says which ISA-L the native library was linked with.
isal=$(sed -n -E 's/^#define ISAL_(MAJOR|MINOR|PATCH)_VERSION +([0-9]+).*/\2/p' \
  /usr/include/isa-l.h 2> /dev/null | paste -s -d . -)

# The licence of all but ISA-L.
apache='"licenses": [{"license": {"id": "Apache-2.0"}}]'

jar() { # file, description
  sum=$(sed -n "s/^\([0-9a-f]*\)  lib\/$1\$/\1/p" SHA512SUMS)
  name=${1%-"$version"*}
  classifier=$(case $1 in *-dropin.jar) echo "&classifier=dropin" ;; esac)
  cat <<END
    {
      "type": "library",
      "bom-ref": "pkg:maven/org.hdfsppr/$name@$version?type=jar$classifier",
      "group": "org.hdfsppr",
      "name": "$name",
      "version": "$version",
      "description": "$2",
      "hashes": [{"alg": "SHA-512", "content": "$sum"}],
      $apache,
      "purl": "pkg:maven/org.hdfsppr/$name@$version?type=jar$classifier",
      "properties": [{"name": "hdfs-ppr:file", "value": "lib/$1"}]
    },
END
}

{
  cat <<END
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {
    "timestamp": "$time",
    "component": {
      "type": "application",
      "bom-ref": "hdfs-ppr@$version",
      "group": "org.hdfsppr",
      "name": "hdfs-ppr",
      "version": "$version",
      $apache,
      "purl": "pkg:maven/org.hdfsppr/hdfs-ppr@$version?type=pom"
    }
  },
  "components": [
END
  jar "hdfs-ppr-datanode-$version-dropin.jar" "Role datanode"
  jar "hdfs-ppr-namenode-$version-dropin.jar" "Role namenode"
  jar "hdfs-ppr-client-$version-dropin.jar" "Role client"
  jar "hdfs-ppr-files-datanode-$version-dropin.jar" "Role datanode, with files"
  jar "hdfs-ppr-files-namenode-$version-dropin.jar" "Role namenode, with files"
  jar "hdfs-ppr-files-client-$version-dropin.jar" "Role client, with files"
  jar "hdfs-ppr-mapreduce-$version.jar" "The MapReduce job of CORE"
  cat <<END
    {
      "type": "library",
      "bom-ref": "pkg:maven/com.github.ben-manes.caffeine/caffeine@$caffeine",
      "group": "com.github.ben-manes.caffeine",
      "name": "caffeine",
      "version": "$caffeine",
      "description": "In hdfs-ppr-datanode's drop-in jar, in a package of its own",
      $apache,
      "purl": "pkg:maven/com.github.ben-manes.caffeine/caffeine@$caffeine"
    },
END
  if [ "$glibc" != none ]; then
    cat <<END
    {
      "type": "library",
      "bom-ref": "isa-l",
      "name": "isa-l",
      "version": "${isal:-unknown}",
      "description": "In the native library that the drop-in jars have, as the build machine had it",
      "licenses": [{"license": {"id": "BSD-3-Clause"}}],
      "purl": "pkg:github/intel/isa-l${isal:+@v$isal}"
    },
END
  fi
  cat <<END
    {
      "type": "library",
      "bom-ref": "pkg:maven/info.picocli/picocli@$picocli",
      "group": "info.picocli",
      "name": "picocli",
      "version": "$picocli",
      "description": "In hdfs-ppr-client's drop-in jar, in a package of its own",
      $apache,
      "purl": "pkg:maven/info.picocli/picocli@$picocli"
    }
  ],
  "dependencies": [
    {
      "ref": "hdfs-ppr@$version",
      "dependsOn": [
        "pkg:maven/org.hdfsppr/hdfs-ppr-datanode@$version?type=jar&classifier=dropin",
        "pkg:maven/org.hdfsppr/hdfs-ppr-namenode@$version?type=jar&classifier=dropin",
        "pkg:maven/org.hdfsppr/hdfs-ppr-client@$version?type=jar&classifier=dropin",
        "pkg:maven/org.hdfsppr/hdfs-ppr-files-datanode@$version?type=jar&classifier=dropin",
        "pkg:maven/org.hdfsppr/hdfs-ppr-files-namenode@$version?type=jar&classifier=dropin",
        "pkg:maven/org.hdfsppr/hdfs-ppr-files-client@$version?type=jar&classifier=dropin",
        "pkg:maven/org.hdfsppr/hdfs-ppr-mapreduce@$version?type=jar"
      ]
    },
    {
      "ref": "pkg:maven/org.hdfsppr/hdfs-ppr-datanode@$version?type=jar&classifier=dropin",
      "dependsOn": ["pkg:maven/com.github.ben-manes.caffeine/caffeine@$caffeine"]
    },
    {
      "ref": "pkg:maven/org.hdfsppr/hdfs-ppr-files-datanode@$version?type=jar&classifier=dropin",
      "dependsOn": ["pkg:maven/org.hdfsppr/hdfs-ppr-datanode@$version?type=jar&classifier=dropin"]
    },
    {
      "ref": "pkg:maven/org.hdfsppr/hdfs-ppr-files-namenode@$version?type=jar&classifier=dropin",
      "dependsOn": ["pkg:maven/org.hdfsppr/hdfs-ppr-namenode@$version?type=jar&classifier=dropin"]
    },
    {
      "ref": "pkg:maven/org.hdfsppr/hdfs-ppr-files-client@$version?type=jar&classifier=dropin",
      "dependsOn": ["pkg:maven/org.hdfsppr/hdfs-ppr-client@$version?type=jar&classifier=dropin"]
    },
    {
      "ref": "pkg:maven/org.hdfsppr/hdfs-ppr-client@$version?type=jar&classifier=dropin",
      "dependsOn": ["pkg:maven/info.picocli/picocli@$picocli"]
    }
  ]
}
END
} > sbom.cdx.json
