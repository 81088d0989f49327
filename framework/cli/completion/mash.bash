# Completion of mash for bash. `mash completion bash` prints this file; docs/install.md says where it belongs.
_mash() {
  local IFS=$' \t\n' word previous='' files='' line
  local -a words=() more=()
  COMPREPLY=()
  # bash parts words at '=' and ':', the program does not.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((${#words[@]})) && [[ $word == [=:] || $previous == [=:] ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    previous=$word
  done
  local current=${words[-1]} program=${COMP_WORDS[0]/#\~\//$HOME/}
  # The word before the cursor, as bash takes it, begins behind the last '='.
  local cut=''
  [[ $current == *=* && $COMP_WORDBREAKS == *=* ]] && cut=${current%=*}=
  while IFS= read -r line; do
    case $line in
      :files) files=f ;;
      :folders) files=d ;;
      *)
        word=${line%%$'\t'*}
        COMPREPLY+=("${word#"$cut"}")
        [[ $word == *= ]] && compopt -o nospace 2>/dev/null
        ;;
    esac
  done < <("$program" --complete "${words[@]}" 2>/dev/null)
  if [[ $files ]]; then
    mapfile -t more < <(compgen -"$files" -- "${current##*=}")
    ((${#more[@]})) && compopt -o filenames 2>/dev/null
    COMPREPLY+=("${more[@]}")
  fi
}
complete -F _mash mash
