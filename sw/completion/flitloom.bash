# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion of flitloom for bash. Names come from `flitloom list`, options from `flitloom COMMAND --help`.

_flitloom_names() { flitloom list "$1" --names 2>/dev/null; }

# _flitloom_reply WORD CANDIDATES [OPTION...]: those of the candidates that begin with WORD.
_flitloom_reply() {
	mapfile -t COMPREPLY < <(compgen "${@:3}" -W "$2" -- "$1")
}

_flitloom_files() {
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
	compopt -o filenames
}

_flitloom_links() {
	if [[ $1 == uart:* ]]; then
		_flitloom_files "${1#uart:}"
	else
		_flitloom_reply "$1" "$(_flitloom_names links)"
	fi
}

# _flitloom_has_value COMMAND OPTION: the option is followed by a value, as --help has it: "  -m, --map=MAP".
_flitloom_has_value() {
	local line
	while read -r line; do
		case $line in
		"$2"= | "$2, "*= | -?", $2"=) return 0 ;;
		esac
	done < <(flitloom "$1" --help 2>/dev/null | grep -oE '^ {2}(-[a-z], | {4})--[a-z-]+=?')
	return 1
}

_flitloom() {
	# Words as the shell knows them: bash breaks them at = and :, so cube:8 is three of COMP_WORDS.
	local line=${COMP_LINE:0:COMP_POINT} word before command words i n=0
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	word=${words[-1]}
	before=${words[-2]}
	command=${words[1]}
	COMPREPLY=()

	local option=$before value=$word
	if [[ $word == --*=* ]]; then
		option=${word%%=*}
		value=${word#*=}
	fi
	if ((${#words[@]} <= 2)); then
		_flitloom_reply "$word" "run plan check sweep list goal rtl probe peek poke serve program help --help --usage --version"
		return
	fi
	case $option in
	--before) _flitloom_reply "$value" "$(_flitloom_names planners)"; return ;;
	--planner | -p) _flitloom_reply "$value" "$(_flitloom_names planners) best"; return ;;
	--load) _flitloom_reply "$value" "$([[ $command == sweep ]] && echo max || echo messages flits)"; return ;;
	--arrivals) _flitloom_reply "$value" "poisson bernoulli"; return ;;
	--objective) _flitloom_reply "$value" "maxmax maxsum sumsum"; return ;;
	--machine) _flitloom_reply "$value" "fast paper$([[ $command != sweep ]] || echo " fast,paper")"; return ;;
	--schedule) _flitloom_reply "$value" "best table generated"; return ;;
	--rule) _flitloom_reply "$value" "ascending descending one-way one-way-descending$([[ $command != check ]] || echo " mixed")"; return ;;
	--form) _flitloom_reply "$value" "open router chip parameters"; return ;;
	--picture) _flitloom_reply "$value" "loads paths chart moves"; return ;;
	--map | -m | --place)
		_flitloom_reply "$value" "best identity row-major greedy search group-row group-submesh"
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$value")
		return
		;;
	--link | -l) _flitloom_links "$value"; return ;;
	--fabric) _flitloom_reply "$value" "$(_flitloom_names fabrics)" -S :; compopt -o nospace; return ;;
	--tables | --tables-out | --svg | --csv | --trace | --trace-json | --messages | --channels | --files | --output | -o) _flitloom_files "$value"; return ;;
	-*) ! _flitloom_has_value "$command" "$option" || return ;;
	esac
	if [[ $word == -* ]]; then
		_flitloom_reply "$word" "$(flitloom "$command" --help 2>/dev/null | grep -oE -e '--[a-z-]+')"
		return
	fi

	# The how manieth word is it that is no option?
	for ((i = 2; i < ${#words[@]} - 1; i++)); do
		case ${words[i]} in
		--*=*) ;;
		-*) ! _flitloom_has_value "$command" "${words[i]}" || ((i++)) ;;
		*) ((n++)) ;;
		esac
	done
	case $command:$n in
	run:0 | plan:0)
		_flitloom_reply "$word" "$(_flitloom_names fabrics)" -S :
		mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X '!*.json' -- "$word")
		compopt -o nospace
		;;
	check:0 | rtl:0) _flitloom_reply "$word" "$(_flitloom_names fabrics)" -S :; compopt -o nospace ;;
	sweep:0)
		_flitloom_reply "${word##*,}" "$(_flitloom_names fabrics)"
		[[ $word != *,* ]] || COMPREPLY=("${COMPREPLY[@]/#/${word%,*},}")
		;;
	run:1 | plan:1 | sweep:1)
		if [[ $word == set:*+* ]]; then
			# Bash replaces what follows the last colon only.
			local last=${word##*[+:]} kept=${word##*:}
			_flitloom_reply "$last" "$(_flitloom_names patterns)" -P "${kept%"$last"}"
		elif [[ $word == set:* ]]; then
			_flitloom_files "${word#*:}"
			mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$(_flitloom_names patterns)" -- "${word#*:}")
		elif [[ $word == *:* ]]; then
			_flitloom_files "${word#*:}"
		else
			_flitloom_reply "$word" "$(_flitloom_names patterns)"
		fi
		;;
	list:0) _flitloom_reply "$word" "fabrics patterns planners links boards registers" ;;
	help:0) _flitloom_reply "$word" "run plan check sweep list goal rtl probe peek poke serve program" ;;
	probe:0 | peek:0 | poke:0) _flitloom_links "$word" ;;
	serve:0) _flitloom_reply "$word" "$(_flitloom_names fabrics) $(_flitloom_names links)" -S :; compopt -o nospace ;;
	serve:1) _flitloom_files "$word"; [[ pty != "$word"* ]] || COMPREPLY+=(pty) ;;
	program:1) _flitloom_files "$word" ;;
	program:0) _flitloom_reply "$word" "$(_flitloom_names boards)" ;;
	peek:1 | poke:1) _flitloom_reply "$word" "$(_flitloom_names registers)" ;;
	esac
}

complete -F _flitloom flitloom
