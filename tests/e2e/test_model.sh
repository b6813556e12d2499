#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests models and their cache: a model is built once, is whole or absent, and can be used without the tools, and by
# an installed flitloom without the sources. All folders have names with spaces. FLITLOOM: the program. Ends in "N
# passed, N failed".
set -u
umask 022
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
flitloom=$(realpath "${FLITLOOM:-build/flitloom}")
folder=$(mktemp -d) || exit 2
full=
trap '[ -z "$full" ] || umount "$full"; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder" || exit 2
unset MAKEFLAGS MAKELEVEL MFLAGS FLITLOOM_HOME
export FLITLOOM_CACHE="$folder/the models"
n_passed=0
n_failed=0
passed() { n_passed=$((n_passed + 1)); }
failed() {
	n_failed=$((n_failed + 1))
	echo "FAIL: $*"
}
check() { # WHAT COMMAND...
	if "${@:2}"; then passed; else failed "$1: $(head -c 400 err)"; fi
}
# ended STATUS TEXT COMMAND...: in that status, and with one line on standard error that has TEXT (none if TEXT is empty).
ended() {
	local wanted=$1 text=$2 status lines=1
	shift 2
	"$@" >out 2>err </dev/null
	status=$?
	sed -i '/^model of [^ ]*, [1-3]\/3: /d' err # on a slow machine a line each half minute says that the build goes on
	[ -n "$text" ] || lines=0
	if [ $status != "$wanted" ]; then
		failed "$* : status $status, not $wanted: $(head -c 400 err)"
	elif [ "$(wc -l <err)" != $lines ] || ! grep -qF -e "$text" err && [ -n "$text" ]; then
		failed "$* : not one line with \"$text\": $(head -c 600 err)"
	else
		passed
	fi
}
# Lists the models and what builds left, without Verilator's run-time.
cached() { (cd "$FLITLOOM_CACHE" 2>/dev/null && ls -A -I 'runtime-*'); }
# Prints the names of processes whose working folder is below this one: a build starts all its processes there.
at_work() {
	find /proc/[0-9]*/cwd -maxdepth 0 -lname "$folder/*.work*" ! -lname "$folder/slow/*" -printf '%h/comm\n' 2>/dev/null | xargs -r cat 2>/dev/null
}
wait_for() { # COMMAND...: half a minute at most
	for _ in $(seq 600); do
		"$@" && return
		sleep 0.05
	done
	return 1
}
compiles() { at_work | grep -qx cc1plus; }
rests() { [ -z "$(at_work)" ]; }
in_cache() { [ "$(cached)" = "$1" ]; }

# --- The command refuses what the chip cannot hold before it builds anything ---
ended 2 'has 100000 flits; the chip holds messages of at most 65535' "$flitloom" run cube:3 complement --flits 100000
ended 2 'messages; the chip holds 1024 in a node' "$flitloom" run benes:8 uniform:10000 --planner direct
ended 2 'messages; the chip holds 1024 in a node' "$flitloom" run cube:3 uniform:1000000 --link sim-uart:cube:3
ended 2 "this chip's switches can be set for 256" "$flitloom" run omega:512 all-to-all --planner min_passes --preset
ended 2 'flits; the chip holds messages of at most' "$flitloom" sweep cube,omega complement --link sim --nodes 2:8 --flits 100000
check "something was built: $(cached)" test ! -e "$FLITLOOM_CACHE"

# --- A long build prints that it goes on. It runs beside the tests below ---
mkdir -p slow/tools slow/rtl
cat >slow/tools/model.sh <<'SCRIPT'
#!/bin/sh
[ "$1" = build ] || { printf '0123456789abcdef\n01234567\n' && exit; }
echo 'model 1/1: it takes long'
sleep 65
echo 'model.sh: it is over' >&2
exit 83
SCRIPT
chmod +x slow/tools/model.sh
FLITLOOM_HOME=$folder/slow FLITLOOM_CACHE=$folder/slow/models "$flitloom" run cube:1 complement >slow/out 2>slow/err </dev/null &
slow=$!

# --- The command begins nothing for which memory is missing, and the message says what failed ---
if [ "$(id -u)" = 0 ] && unshare -m true 2>err; then
	echo 'MemAvailable: 2000000 kB' >meminfo
	ended 3 'no model of mesh:32x32: to build it takes about 10 min and 9.0 GB of memory, and 2.0 GB are left' \
		unshare -m sh -c 'mount --bind meminfo /proc/meminfo && exec "$1" run mesh:32x32 transpose' - "$flitloom"
	check "something was built: $(cached)" test -z "$(cached)"
else
	echo "not tried: too little memory, which takes root"
fi
mkdir few
for tool in sh cat cp cut dirname env find grep realpath sed sort uname verilator g++ make; do
	ln -s "$(command -v $tool)" few/
done
with_few() { PATH=$folder/few "$@"; }
ended 3 'no model of ring:3: ' with_few "$flitloom" run ring:3 uniform:1
check 'it does not say what is missing' grep -qF 'sha256sum: not found"; the tools that it needs must be in PATH' err

# --- Ended while a model is built: nothing goes on, nothing is left ---
for signal in INT TERM KILL; do
	(trap - INT; exec "$flitloom" run cube:1 complement -q) >out 2>err &
	running=$!
	check "no compiler runs before SIG$signal" wait_for compiles
	kill -$signal $running
	wait $running 2>/dev/null
	check "SIG$signal: still at work: $(at_work)" wait_for rests
	check "SIG$signal: left in the cache: $(cached)" wait_for in_cache ''
done

# After a kill of both the program and the build, the next build removes what is left, for other models, too.
mkdir "$FLITLOOM_CACHE/cube9-0123456789abcdef-01234567.work"
echo half >"$FLITLOOM_CACHE/cube9-0123456789abcdef-01234567.work/model.so"
: >"$FLITLOOM_CACHE/cube9-0123456789abcdef-01234567.lock"

# --- The first run prints one line about the build; two runs at a time build once ---
"$flitloom" run cube:1 complement -q >out2 2>err2 &
second=$!
ended 0 'model of cube:1' "$flitloom" run cube:1 complement
check "the line does not say where: $(cat err)" grep -qF "$FLITLOOM_CACHE" err
wait $second
status=$?
check "the second of two: $(cat err2)" test "$status" = 0
model=$(cached)
check "not one model: $model" test "$(cached | wc -l)" = 1
ended 0 '' "$flitloom" run cube:1 complement
ended 0 '' "$flitloom" run cube:1 complement -q
# On a terminal the command shows the steps, and removes them at the end.
if command -v script >/dev/null; then
	FLITLOOM_CACHE="$folder/on a terminal" script -qec "'$flitloom' run cube:1 complement" /dev/null >out 2>err </dev/null
	check 'no steps on a terminal' grep -q 'model of cube:1, 2/3: the C++ compiler compiles it' out
fi

# --- Without the tools ---
mkdir without
for tool in sh cat cp cut dirname env find grep realpath sed sha256sum sort uname; do
	ln -s "$(command -v $tool)" without/
done
bare() { PATH=$folder/without "$@"; }
ended 0 '' bare "$flitloom" run cube:1 complement
check "the model was built anew" test "$(cached)" = "$model"
ended 3 'none can be built: verilator is not installed' bare "$flitloom" run cube:2 complement
ended 3 'none can be built: verilator is not installed' bare "$flitloom" run cube:1 complement --trace x.fst

# --- A folder that others can write, and what is in it ---
chmod 1777 "$FLITLOOM_CACHE"
ended 2 'others may write in it (mode 1777); chmod go-w' "$flitloom" run cube:1 complement
chmod 700 "$FLITLOOM_CACHE"
ended 0 '' bare "$flitloom" run cube:1 complement
chmod go+w "$FLITLOOM_CACHE/$model"
ended 3 'is not loaded: others may write it' bare "$flitloom" run cube:1 complement
chmod go-w "$FLITLOOM_CACHE/$model"
if [ "$(id -u)" = 0 ]; then
	chown 12345 "$FLITLOOM_CACHE/$model"
	ended 3 'is not loaded: it belongs to another user' bare "$flitloom" run cube:1 complement
	ended 2 "$model is in the way of the model of cube:1, and not yours: remove it" "$flitloom" run cube:1 complement
	chown 0 "$FLITLOOM_CACHE/$model"
	chown 12345 "$FLITLOOM_CACHE"
	ended 2 'it belongs to user 12345; set FLITLOOM_CACHE to a folder of yours' "$flitloom" run cube:1 complement
	chown 0 "$FLITLOOM_CACHE"
	mkdir -m 1777 open
	cp -a "$FLITLOOM_CACHE" open/models
	FLITLOOM_CACHE=$folder/open/models ended 0 '' "$flitloom" run cube:1 complement
	chown 12345 open
	FLITLOOM_CACHE=$folder/open/models ended 2 'open, which it is in, belongs to user 12345' "$flitloom" run cube:1 complement
else
	echo "not tried: what belongs to other users, which takes root"
fi

# --- A file that is no model, or another model ---
cp "$FLITLOOM_CACHE/$model" whole
size=$(stat -c %s whole)
damage() { # WHAT, standard input is the file
	cat >"$FLITLOOM_CACHE/$model"
	ended 3 'none that is whole' bare "$flitloom" run cube:1 complement
	check "$1: the file is gone" test -e "$FLITLOOM_CACHE/$model"
}
for cut in 0 1 64 4096 $((size / 2)) $((size - 200)) $((size - 1)); do
	head -c "$cut" whole | damage "cut to $cut bytes"
done
echo 'no model' | damage 'a text'
damage 'another program' </bin/ls
{ cat whole; echo; } | damage 'one byte more'
{ head -c $((size / 2)) whole; printf '\125\252'; tail -c +$((size / 2 + 3)) whole; } | damage 'two other bytes'
rm "$FLITLOOM_CACHE/$model"
mkdir "$FLITLOOM_CACHE/$model"
ended 3 'none that is whole' bare "$flitloom" run cube:1 complement
rmdir "$FLITLOOM_CACHE/$model"
sed 's/flitloom model cube1-/flitloom model cube2-/' whole | damage "another model's"
# The cache keeps Verilator's run-time for other models, too, and the next build compiles it again if it was changed.
run_time_is_whole() { (cd "$FLITLOOM_CACHE"/runtime-* && sha256sum --quiet -c sums && [ "$(ls)" = "$1" ]); }
parts=$(cd "$FLITLOOM_CACHE"/runtime-* && ls)
check "no run-time is kept: $parts" run_time_is_whole "$parts"
echo more >>"$(echo "$FLITLOOM_CACHE"/runtime-*/verilated.o)"
head -c $((size / 2)) whole >"$FLITLOOM_CACHE/$model"
ended 0 'that takes about 12 s and 0.3 GB of memory' "$flitloom" run cube:1 complement
check 'a damaged run-time stays' run_time_is_whole "$parts"
ended 0 '' bare "$flitloom" run cube:1 complement
# A model that other tools built is used only where there are no tools.
mv "$FLITLOOM_CACHE/$model" whole
other=${model%-*}-00000000.so
sed "s/flitloom model ${model%.so}/flitloom model ${other%.so}/" whole >"$FLITLOOM_CACHE/$other"
ended 0 '' bare "$flitloom" run cube:1 complement
rm "$FLITLOOM_CACHE/$other"
cp whole "$FLITLOOM_CACHE/$model"

# --- No space ---
no_space() { # STATUS WORDS COMMAND...
	ended "$@"
	check "no space, and at work: $(at_work)" wait_for rests
}
limited() { (ulimit -f 100; exec "$@"); }
FLITLOOM_CACHE="$folder/small files" no_space 2 'no space left on' limited "$flitloom" run cube:1 complement -q
check "no space: left over: $(ls "$folder/small files")" test -z "$(find "small files" -name '*.work' -o -name '*.so' -o -name '*.lock')"
mkdir 'full disk'
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=800k,mode=700 none 'full disk' 2>err; then
	full=$folder/full\ disk
	FLITLOOM_CACHE=$full no_space 2 "no space left on $full" "$flitloom" run cube:1 complement -q
	check "full disk: left over: $(ls "$full")" test -z "$(find "$full" -name '*.work' -o -name '*.so' -o -name '*.lock')"
	umount "$full"
	# Not even a folder or a lock.
	mount -t tmpfs -o nr_inodes=1,mode=700 none 'full disk'
	for place in "$full" "$full/below"; do
		FLITLOOM_CACHE=$place no_space 2 "no space left on $place" "$flitloom" run cube:1 complement -q
	done
	umount "$full"
	# There is little space, but the tool fails for another reason.
	mkdir 'bad tools'
	printf '#!/bin/sh\n[ "$1" = --version ] && echo bad && exit\necho "model.cpp:1: error: bad" >&2\nexit 1\n' >'bad tools/g++'
	chmod +x 'bad tools/g++'
	mount -t tmpfs -o size=8m,mode=700 none 'full disk'
	FLITLOOM_CACHE=$full ended 3 'error: bad' env PATH="$folder/bad tools:$PATH" "$flitloom" run cube:1 complement -q
	check "no log of a failure: $(ls "$full")" test -n "$(find "$full" -name '*.log')"
	umount "$full" && full=
else
	echo "not tried: a full disk, which takes root"
fi
if [ "$(id -u)" != 0 ]; then
	mkdir -m 555 'not mine'
	FLITLOOM_CACHE="$folder/not mine" ended 2 'set FLITLOOM_CACHE to a folder of yours' "$flitloom" run cube:1 complement -q
fi
FLITLOOM_CACHE=$folder/err/x ended 2 'set FLITLOOM_CACHE to a folder of yours' "$flitloom" run cube:1 complement -q

# --- A checkout in a folder with spaces; and installed, without the checkout ---
mkdir 'the tree'
(cd "$root" && tar -cf - --exclude=./build --exclude=./.git .) | tar -xf - -C 'the tree'
if make -s -C 'the tree' -j2 OPT=-O0 PREFIX="$folder/installed" build/flitloom install >make.log 2>&1; then passed; else failed "make install: $(tail -n 3 make.log)"; fi
ended 0 '' 'the tree/build/flitloom' run cube:1 complement
# Files that others keep in the folder of flitloom's models stay.
mkdir -p mine/flitloom/thesis.work
chmod 700 mine mine/flitloom
echo text >mine/flitloom/thesis.work/chapter1.tex
echo text >mine/flitloom/thesis.lock
echo text >mine/flitloom/notes.work
mkdir elsewhere.tex && echo text >elsewhere.tex/chapter2.tex && ln -s "$folder/elsewhere.tex" mine/flitloom/x-0123456789abcdef-01234567.work
# Models go into the build/ of the program's own tree, and into no other.
model_home() { env -u FLITLOOM_CACHE XDG_CACHE_HOME="$folder/mine" FLITLOOM_HOME="$folder/the tree" "$@" run cube:1 complement -q; }
ended 0 '' model_home "$flitloom"
check 'a model in a tree of others' test ! -e 'the tree/build/models'
check 'no model in the cache of the user' test -e mine/flitloom/"$model"
for kept in thesis.work/chapter1.tex thesis.lock notes.work x-0123456789abcdef-01234567.work/chapter2.tex; do
	check "$kept is gone" test -s mine/flitloom/$kept
done
ended 0 '' model_home 'the tree/build/flitloom'
check 'no model in the tree' test -e "the tree/build/models/$model"
check 'by make: a run where names have spaces' make -s -C 'the tree' OPT=-O0 PREFIX="$folder/installed" check-gen >make.log 2>&1
rm -rf 'the tree'
mkdir -p 'the tree/tools' 'the tree/rtl'
printf '#!/bin/sh\n: >"%s/trap"\nexit 3\n' "$folder" >'the tree/tools/model.sh'
chmod +x 'the tree/tools/model.sh'
mkdir -p installed/lib/some-triplet elsewhere
cp installed/bin/flitloom installed/lib/some-triplet/
cp installed/bin/flitloom elsewhere/
for place in installed/bin installed/lib/some-triplet elsewhere; do
	ended 0 '' bare $place/flitloom run cube:1 complement
done
ended 0 '' bare env -u FLITLOOM_CACHE XDG_CACHE_HOME="$folder" sh -c 'cp -R "$1" flitloom && exec installed/bin/flitloom run cube:1 complement' - "$FLITLOOM_CACHE"
ended 2 'set FLITLOOM_CACHE' env -u FLITLOOM_CACHE -u HOME -u XDG_CACHE_HOME installed/bin/flitloom run cube:1 complement
check "the program has a path of the tree: $(grep -c "$folder/the tree" installed/bin/flitloom)" \
	test "$(grep -c "$folder/the tree" installed/bin/flitloom)" = 0
check 'the library has a path of the tree' test "$(grep -c "$folder/the tree" installed/lib/libflitloom.a)" = 0
rm -r installed/share/flitloom
ended 3 'set FLITLOOM_HOME' installed/bin/flitloom run cube:1 complement
check 'a script of the tree was run' test ! -e trap

wait $slow
check "what took long: not lines that it goes on: $(cat slow/err)" test "$(grep -c '^model of cube:1, 1/1: it takes long ([01]:[0-9][0-9] min)$' slow/err)" = 2
check "what took long: other lines: $(cat slow/err)" test "$(wc -l <slow/err)" = 4

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ]
