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

# Completion of "hdfs ppr" for bash. Source this file, for example in ~/.bashrc:
#   . /opt/hadoop/libexec/hdfs-ppr.bash
# or copy it to the folder of bash-completion, under the name of the command that it completes:
#   /usr/share/bash-completion/completions/hdfs
# A completion of hdfs that was there before goes on to complete everything else. The functions
# start no process, so that other completions of hdfs stay as fast as they were.

# Sets _hdfs_ppr_words to what may follow a command, or, without a command, to all commands.
_hdfs_ppr_words_of()
{
  local all="-json -help -fs -conf -D"
  case $1 in
    '') _hdfs_ppr_words="-codes -status -groups -nodes -explain -doubts -doctor -pause -stock -resume
      -pressure -prioritize -readmit -undoubt -verify -convert -core -updatable -update -commit
      -updates -nbd -clear -finalize -help -fs -conf -D" ;;
    -status) _hdfs_ppr_words="-watch -check $all" ;;
    -groups) _hdfs_ppr_words="-stuck -doubted -running -limit $all" ;;
    -pause|-stock) _hdfs_ppr_words="-for $all" ;;
    -pressure) _hdfs_ppr_words="gentle urgent $all" ;;
    -verify) _hdfs_ppr_words="-sample -seed -all-relations -parallel -doubt $all" ;;
    -convert) _hdfs_ppr_words="-policy -dry-run -idle -grace -force -sample-check -full-check -files-only
      -concurrency -bandwidth -id -wait -status -pause -resume -cancel $all" ;;
    -core) _hdfs_ppr_words="-protect -recursive -t -mapreduce -unprotect -status -check -spread
      $all" ;;
    -updatable) _hdfs_ppr_words="-off -strategy $all" ;;
    -update) _hdfs_ppr_words="-offset -from $all" ;;
    -commit) _hdfs_ppr_words="-no-wait $all" ;;
    -clear) _hdfs_ppr_words="-go $all" ;;
    -finalize) _hdfs_ppr_words="-status $all" ;;
    -nbd) _hdfs_ppr_words="--unix --listen --read-only --create --size --object --tls
      --tls-keystore --tls-truststore --tls-password-file --tls-any-client --tls-client $all" ;;
    -help|-h|--help) _hdfs_ppr_words= ;;
    *) _hdfs_ppr_words=$all ;;
  esac
}

_hdfs_ppr()
{
  local word=${COMP_WORDS[COMP_CWORD]-} before=
  if [[ $COMP_CWORD -gt 0 ]]; then
    before=${COMP_WORDS[COMP_CWORD-1]}
  fi
  local i=1
  # Hadoop's own options stand before the command's name.
  while [[ $i -lt $COMP_CWORD && ${COMP_WORDS[i]} = -* ]]; do
    case ${COMP_WORDS[i]} in
      --config|--hostnames|--hosts|--loglevel) i=$((i + 2)) ;;
      *) i=$((i + 1)) ;;
    esac
  done
  if [[ $i -ge $COMP_CWORD || ${COMP_WORDS[i]} != ppr ]]; then
    if [[ -n ${_hdfs_ppr_other-} ]]; then
      "$_hdfs_ppr_other" "$@"
    fi
    return
  fi
  COMPREPLY=()
  local command=
  # Generic options may stand before the command.
  while [[ $((i + 1)) -lt $COMP_CWORD ]]; do
    case ${COMP_WORDS[i + 1]} in
      -fs|-conf|-D) i=$((i + 2)) ;;
      *) break ;;
    esac
  done
  if [[ $COMP_CWORD -gt $((i + 1)) ]]; then
    command=${COMP_WORDS[i + 1]}
  fi
  local _hdfs_ppr_words
  case $command:$before in
    *:-fs|*:-conf|*:-D) return ;;
    -pause:-for|-stock:-for) _hdfs_ppr_words="15m 30m 1h 2h 8h 1d" ;;
    -convert:-idle|-convert:-grace) _hdfs_ppr_words="1h 8h 24h 7d" ;;
    -convert:-policy|-convert:-concurrency|-convert:-bandwidth|-convert:-id) return ;;
    -convert:-status|-convert:-pause|-convert:-resume|-convert:-cancel)
      _hdfs_ppr_words_of "$command" ;;
    -nbd:--listen|-nbd:--size|-nbd:--object|-update:-offset|-update:-from) return ;;
    -nbd:--unix|-nbd:--tls-keystore|-nbd:--tls-truststore|-nbd:--tls-password-file) return ;;
    -nbd:--tls-client) return ;;
    -core:-protect|-core:-unprotect|-core:-t) return ;;
    -core:-status|-core:-spread) _hdfs_ppr_words_of "$command" ;;
    -groups:-limit|-verify:-sample|-verify:-seed|-verify:-parallel) return ;;
    *) _hdfs_ppr_words_of "$command" ;;
  esac
  local one
  for one in $_hdfs_ppr_words; do
    if [[ $one = "$word"* ]]; then
      COMPREPLY+=("$one")
    fi
  done
}

# The completion function of hdfs that was there before, or nothing.
_hdfs_ppr_before=$(complete -p hdfs 2> /dev/null)
if [[ ${_hdfs_ppr_before-} =~ \ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _hdfs_ppr ]]; then
  _hdfs_ppr_other=${BASH_REMATCH[1]}
fi
unset _hdfs_ppr_before
# Where there is no word to offer, bash offers the names of files.
complete -o bashdefault -o default -F _hdfs_ppr hdfs
