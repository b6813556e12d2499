# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# The tests of the command's requests source this file first. It changes to a temporary folder ($folder, removed at the
# end; $home is the folder before) and defines the functions that count checks.
flitloom=${FLITLOOM:-build/flitloom}
case $flitloom in */*) flitloom=$(cd "$(dirname "$flitloom")" && pwd)/$(basename "$flitloom") ;; esac
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
home=$PWD
cd "$folder" || exit 2
n_passed=0
n_failed=0

passed() { n_passed=$((n_passed + 1)); }
failed() { n_failed=$((n_failed + 1)); echo "FAIL: $*"; }

# refused TEXT ARGUMENT...: status 2, one line "flitloom: ...TEXT..." on standard error, standard output empty.
refused() {
	text=$1
	shift
	"$flitloom" "$@" >out 2>err </dev/null
	status=$?
	if [ "$status" -ne 2 ]; then
		failed "$* : status $status, not 2: $(head -c 300 err)"
	elif [ "$(wc -l <err)" -ne 1 ] || [ "$(wc -c <err)" -gt 500 ]; then
		failed "$* : not one line: $(head -c 600 err)"
	elif ! grep -q '^flitloom: ' err || ! grep -qF -e "$text" err; then
		failed "$* : not \"$text\": $(cat err)"
	elif [ -s out ]; then
		failed "$* : standard output: $(head -c 300 out)"
	else
		passed
	fi
}

# has TEXT FILE: the file has that text, line breaks and spaces as they are (grep takes a line break for "or").
has() {
	case "
$(cat "$2")
" in
	*"$1"*) return 0 ;;
	*) return 1 ;;
	esac
}
newline='
'

# accepted TEXT ARGUMENT...: status 0, TEXT on standard output, standard error empty.
accepted() {
	text=$1
	shift
	"$flitloom" "$@" >out 2>err </dev/null
	status=$?
	if [ "$status" -ne 0 ] || [ -s err ]; then
		failed "$* : status $status: $(cat err)"
	elif ! has "$text" out; then
		failed "$* : no \"$text\": $(head -c 300 out)"
	else
		passed
	fi
}

# accepted_lines TEXT ARGUMENT...: as accepted, and TEXT consists of whole lines of the output.
accepted_lines() {
	text=$newline$1$newline
	shift
	accepted "$text" "$@"
}

# check WHAT COMMAND...: the command succeeds.
check() {
	what=$1
	shift
	if "$@"; then passed; else failed "$what"; fi
}
