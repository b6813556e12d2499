# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Completion of flitloom for bash. All names come from `flitloom list`, options and what they take from `flitloom list options`.

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

# _flitloom_option COMMAND OPTION: sets `argument` to what the option takes, "" of a switch, and `names` to those that its value
# may have. Status 1: the command does not take it.
_flitloom_option() {
	local row long letter help
	while IFS= read -r row; do
		IFS=$'\x1f' read -r long letter argument names help <<<"${row//$'\t'/$'\x1f'}"
		[[ $2 != "$long" && $2 != "$letter" ]] || return 0
	done < <(flitloom list options "$1" --names 2>/dev/null)
	argument='' names=''
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
		_flitloom_reply "$word" "$(_flitloom_names commands) help --help --usage --version"
		return
	fi
	local argument names
	if [[ $option == -* ]] && _flitloom_option "$command" "$option" && [[ -n $argument ]]; then
		case $argument in
		PLANNER) _flitloom_reply "$value" "$(_flitloom_names planners) best" ;;
		LINK) _flitloom_links "$value" ;;
		FABRIC) _flitloom_reply "$value" "$(_flitloom_names fabrics)" -S :; compopt -o nospace ;;
		FILE*) _flitloom_files "$value" ;;
		*) [[ -z $names ]] || _flitloom_reply "$value" "$names" ;;
		esac
		[[ $argument != MAP ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$value")
		return
	fi
	if [[ $word == -* ]]; then
		_flitloom_reply "$word" "$(flitloom list options "$command" --names 2>/dev/null | cut -f 1)"
		return
	fi

	# The how manieth word is it that is no option?
	for ((i = 2; i < ${#words[@]} - 1; i++)); do
		case ${words[i]} in
		--*=*) ;;
		-*) ! _flitloom_option "$command" "${words[i]}" || [[ -z $argument ]] || ((i++)) ;;
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
	list:0) _flitloom_reply "$word" "fabrics patterns planners links boards registers commands options" ;;
	list:1 | help:0) _flitloom_reply "$word" "$(_flitloom_names commands)" ;;
	probe:0 | peek:0 | poke:0) _flitloom_links "$word" ;;
	serve:0) _flitloom_reply "$word" "$(_flitloom_names fabrics) $(_flitloom_names links)" -S :; compopt -o nospace ;;
	serve:1) _flitloom_files "$word"; [[ pty != "$word"* ]] || COMPREPLY+=(pty) ;;
	view:0) mapfile -t COMPREPLY < <(compgen -f -X '!*.json' -- "$word") ;;
	program:1) _flitloom_files "$word" ;;
	program:0) _flitloom_reply "$word" "$(_flitloom_names boards)" ;;
	peek:1 | poke:1) _flitloom_reply "$word" "$(_flitloom_names registers)" ;;
	esac
}

complete -F _flitloom flitloom
