#!/usr/bin/env bash
# Lamplight's one command. It looks for the tools that must be here first, and calls the parts that do the work:
# appliance/install (the Python environment), then `appliance run`, the tests, or the benchmarks.
set -euo pipefail

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# The same default as in appliance/settings.py.
export LAMPLIGHT_HOME=${LAMPLIGHT_HOME:-${XDG_DATA_HOME:-${HOME:-/root}/.local/share}/lamplight}
export LC_NUMERIC=C
export PYTHONPATH=$here
venv=$LAMPLIGHT_HOME/venv

usage() {
  cat <<'END'
Lamplight: an offline library that answers with sources.

  ./build.sh run [options]    set everything up, then serve; prints one address. Ctrl-C ends it.
      --archive FILE.zim      serve and index this archive instead of the starter library; may be repeated
      --search-only           leave the language model out: questions get passages
      --port N, --host A      where the pages listen (127.0.0.1, port 8080)
      and every other setting of docs/settings.md
  ./build.sh test [options]   set everything up, then run all tests; options go to pytest
  ./build.sh bench [options]  set everything up, then measure; results go to docs/benchmarks
  ./build.sh image [options]  make the SD card's image, in dist/; --help lists the options
  ./build.sh test-image [options]  make the image, read its root, boot it under QEMU; options go to pytest
      --short                 the first option: without a language model, and with two power cuts, not ten
      --kiosk                 the first option: the image with the box's own screen, and nothing else of the tests
      --within MINUTES        before others: begin no test of the image later; what was not run is listed
  ./build.sh test-security [URL]  attack a box of its own, or the one at URL (yours: it is really attacked)
  ./build.sh appliance VERB   any other verb of docs/verbs.md: ./build.sh appliance people list
  ./build.sh help             this text

Everything that is fetched or made lies in LAMPLIGHT_HOME (~/.local/share/lamplight unless set).
The network is needed the first time only.
END
}

fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

# The first Python of 3.11 or newer that can make virtual environments; its path, or nothing.
find_python() {
  local name
  for name in "${PYTHON:-python3}" python3.13 python3.12 python3.11 python3.14; do
    if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v -- "$name"
      return
    fi
  done
}

# Runs a command as root, through sudo where needed; fails when neither is possible.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# Shows apt-get's status lines as progress; the rest of its output goes to a log.
show_progress() {
  local what=$1 line kind percent next=0
  while IFS= read -r line; do
    case $line in
      dlstatus:* | pmstatus:*)
        IFS=: read -r kind _ percent _ <<<"$line"
        [ "$kind" = dlstatus ] && kind=fetched || kind=installed
        if [ -t 2 ]; then
          printf '\r\033[2K  %s: %.0f %% %s' "$what" "$percent" "$kind" >&2
        elif [ "$SECONDS" -ge "$next" ]; then
          next=$((SECONDS + 10))
          printf '  %s: %.0f %% %s\n' "$what" "$percent" "$kind" >&2
        fi
        ;;
      *) printf '%s\n' "$line" >>"$LAMPLIGHT_HOME/apt.log" ;;
    esac
  done
  [ ! -t 2 ] || printf '\r\033[2K' >&2
}

# apt_get WHAT ARGUMENT...: says what it does, how far it is, and where its output is when it fails.
apt_get() {
  local what=$1
  shift
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o APT::Status-Fd=1 "$@" 2>&1 | show_progress "$what" || {
    echo "apt-get $1 did not work; its output is in $LAMPLIGHT_HOME/apt.log." >&2
    return 1
  }
}

# install_packages PACKAGE...: from Debian or Ubuntu; what cannot be installed is for the caller to judge.
refreshed=
install_packages() {
  command -v apt-get >/dev/null || return 1
  mkdir -p "$LAMPLIGHT_HOME"
  echo "Installing with apt-get: $*" >&2
  if [ -z "$refreshed" ]; then
    apt_get "Lists of packages" update || return 1
    refreshed=yes
  fi
  apt_get "$*" install -y --no-install-recommends "$@"
}

# need PROGRAM PACKAGE...: installs the packages unless the program is here; says so when it then still is not.
need() {
  local program=$1
  shift
  command -v "$program" >/dev/null || install_packages "$@" || true
  command -v "$program" >/dev/null
}

# need_sshd: the program for the tests. Installed by us it is never started by the system: Debian's unit and
# script look for that file.
need_sshd() {
  PATH=$PATH:/usr/sbin command -v sshd >/dev/null && return
  as_root sh -c 'mkdir -p /etc/ssh && touch /etc/ssh/sshd_not_to_be_run' || return
  PATH=$PATH:/usr/sbin need sshd openssh-server openssh-client
}

prepare_python() {
  python=$(find_python)
  if [ -z "$python" ]; then
    install_packages python3 python3-venv || true
    python=$(find_python)
  fi
  [ -n "$python" ] || fail "Lamplight needs Python 3.11 or newer with its venv module; none was found." \
    "Found: $(python3 --version 2>/dev/null || echo 'no python3'). Install python3 and python3-venv (apt install python3-venv), or set PYTHON."
}

# prepare run|test [--search-only]: everything up to a Python environment that is ready.
prepare() {
  # Asked for at the first set-up only: a later start must not wait for a network that is not there.
  if [ ! -e "$venv/made.json" ]; then
    need kiwix-serve kiwix-tools ||
      echo "kiwix-serve could not be installed (apt install kiwix-tools): reading in Kiwix is off, the rest works." >&2
    need git git openssh-client ||
      echo "git could not be installed (apt install git openssh-client): Git sources are off, the rest works." >&2
  fi
  if [ "${2:-}" != --search-only ] && ! compgen -G "$LAMPLIGHT_HOME/wheels/*/*.whl" >/dev/null; then
    need c++ g++ || true # appliance.install says so when it really needs it
  fi
  "$python" -m appliance.install "$@"
}

# set_up_for run|bench OPTION...: the environment that the verb needs with these options. What is wrong with them
# is said now, not after minutes of set-up; --check prints --search-only when they leave the language model out.
set_up_for() {
  local only
  prepare_python
  only=$(LAMPLIGHT_HELP="./build.sh help" "$python" -m appliance "$1" --check "${@:2}")
  prepare run ${only:+"$only"}
}

# wants_help OPTION...: whether one of them asks for the options.
wants_help() {
  local option
  for option in "$@"; do
    case $option in -h | --help) return ;; esac
  done
  return 1
}

run() {
  if wants_help "$@"; then usage && return; fi
  set_up_for run "$@"
  exec "$venv/bin/python" -m appliance run "$@"
}

run_tests() {
  prepare_python
  prepare test
  need chromium chromium || echo "chromium could not be installed: the tests in the browser will fail." >&2
  need shellcheck shellcheck || echo "shellcheck could not be installed: its test will fail." >&2
  need git git && need_sshd || echo "git or sshd could not be installed: the tests of Git sources will fail." >&2
  PATH=$PATH:/usr/sbin need sfdisk fdisk || echo "fdisk could not be installed: tests of the card will fail." >&2
  "$venv/bin/python" -m appliance models
  cd "$here"
  # Kept from run to run, outside the tree: collecting the tests takes half as long, and types are checked where
  # something changed.
  export PYTHONPYCACHEPREFIX=$LAMPLIGHT_HOME/pycache
  export MYPY_CACHE_DIR=$LAMPLIGHT_HOME/mypy RUFF_CACHE_DIR=$LAMPLIGHT_HOME/ruff
  unset PYTHONDONTWRITEBYTECODE
  # All of them, in two processes, in the order of tests/tiers.py. Each has its share of the cores: threads of a
  # model that find theirs taken by the other process spin until it is free, which takes the time of both.
  if [ $# = 0 ]; then
    set -- -n 2 --dist loadgroup --no-loadscope-reorder
    export OMP_THREAD_LIMIT=$((($(nproc) + 1) / 2))
    export OPENBLAS_NUM_THREADS=$OMP_THREAD_LIMIT
  fi
  exec "$venv/bin/python" -m pytest -m "not (image or boot)" "$@"
}

# Against the box at an address, or one that is started for it; more options go to pytest.
test_security() {
  if wants_help "$@"; then usage && return; fi
  prepare_python
  prepare test
  need chromium chromium || echo "chromium could not be installed: the tests in the browser will fail." >&2
  case ${1:-} in
    http://* | https://*)
      export LAMPLIGHT_SECURITY_URL=${1%/}
      shift
      ;;
  esac
  cd "$here"
  exec "$venv/bin/python" -m pytest -v -m "slow or browser" tests/security "$@"
}

bench() {
  if wants_help "$@"; then usage && return; fi
  set_up_for bench "$@"
  exec "$venv/bin/python" -m appliance bench "$@"
}

# What makes an image, and the Debian package of each.
image_tools=(
  mmdebstrap mmdebstrap
  arch-test arch-test
  qemu-aarch64-static qemu-user-static
  update-binfmts binfmt-support
  aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
  mkfs.vfat dosfstools
  mcopy mtools
  sfdisk fdisk
  zstd zstd
  bmaptool bmap-tools
)

# need_all WHAT PROGRAM PACKAGE ...: installs the packages of the programs that are not here; ends where it cannot.
need_all() {
  local what=$1 missing=()
  shift
  PATH=$PATH:/usr/sbin:/sbin
  while [ $# != 0 ]; do
    command -v "$1" >/dev/null || missing+=("$2")
    shift 2
  done
  [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}" ||
    fail "$what needs these Debian packages: ${missing[*]}" "Install them: apt install ${missing[*]}"
}

image() {
  prepare_python
  PYTHONPATH=$here:$here/image "$python" -m recipe.options "$@"
  if wants_help "$@"; then return; fi
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "Making the image needs root or sudo."
  prepare run --search-only
  need_all "Making the image" "${image_tools[@]}"
  as_root env PYTHONPATH="$here:$here/image" LAMPLIGHT_HOME="$LAMPLIGHT_HOME" "$venv/bin/python" -m recipe "$@" ||
    exit
}

# What test-image needs beside them.
test_image_tools=(
  qemu-system-aarch64 qemu-system-arm
  qemu-img qemu-utils
  fdtput device-tree-compiler
  debugfs e2fsprogs
  readelf binutils
  tcpdump tcpdump
  ip iproute2
  nft nftables
  dnsmasq dnsmasq-base
  nginx nginx-light
  hostapd hostapd
  wpa_passphrase wpasupplicant
  losetup mount
  systemd-mount systemd
  mkfs.exfat exfatprogs
  mkntfs ntfs-3g
)

# The image that LAMPLIGHT_IMAGE names, or else one that is made now. The first options: --short: without the language
# model, and with two power cuts. --kiosk: the other image. --within MINUTES: no test of the image begins later.
test_image() {
  local what="(image or boot) and not kiosk" options=()
  if wants_help "$@"; then usage && return; fi
  while [ $# != 0 ]; do
    case $1 in
      --short)
        what="$what and not answers"
        options=(--model none)
        export LAMPLIGHT_CUTS=${LAMPLIGHT_CUTS:-2}
        echo "Short: without a language model, so its answers and its two engines are not tried; two power cuts, not ten."
        ;;
      --kiosk)
        what=kiosk
        options=(--kiosk --model none)
        ;;
      --within)
        [[ ${2:-} =~ ^[1-9][0-9]{0,3}$ ]] || fail "--within: found '${2:-}', expected minutes, from 1 to 9999."
        export LAMPLIGHT_UNTIL=$((EPOCHSECONDS + $2 * 60))
        shift
        ;;
      *) break ;;
    esac
    shift
  done
  [ "$what" = kiosk ] || echo "The box's own screen is not tried: ./build.sh test-image --kiosk"
  [ -n "${LAMPLIGHT_IMAGE:-}" ] || image ${options[@]+"${options[@]}"}
  prepare_python
  prepare test
  need_all "Testing the image" "${image_tools[@]}" "${test_image_tools[@]}"
  cd "$here"
  exec "$venv/bin/python" -m pytest -s -v -m "$what" tests/device tests/image "$@"
}

# Any verb, with what the set-up has made.
appliance() {
  [ -x "$venv/bin/appliance" ] || fail "Nothing is set up in $LAMPLIGHT_HOME yet." "Set it up first: ./build.sh run"
  exec "$venv/bin/appliance" "$@"
}

verb=${1:-help}
[ $# = 0 ] || shift
case $verb in
  run) run "$@" ;;
  test) run_tests "$@" ;;
  bench) bench "$@" ;;
  test-security) test_security "$@" ;;
  image) image "$@" ;;
  test-image) test_image "$@" ;;
  appliance) appliance "$@" ;;
  help | -h | --help) usage ;;
  *) fail "There is no ./build.sh $verb." "Try: ./build.sh help" ;;
esac
