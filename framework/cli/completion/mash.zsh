#compdef mash
# Completion of mash for zsh. `mash completion zsh` prints this file; docs/install.md says where it belongs.
_mash() {
  local line files=''
  local -a words_and_help unfinished
  for line in "${(@f)$("${(Q)words[1]/#\~\//$HOME/}" --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=files ;;
      :folders) files=folders ;;
      *=$'\t'*) unfinished+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
      *) words_and_help+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  (($#words_and_help)) && _describe mash words_and_help
  (($#unfinished)) && _describe mash unfinished -S ''
  if [[ $files == files ]]; then
    compset -P '*='
    _files
  elif [[ $files == folders ]]; then
    compset -P '*='
    _files -/
  fi
}
if [[ $funcstack[1] == _mash ]]; then
  _mash "$@"
else
  compdef _mash mash
fi
