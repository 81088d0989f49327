# Completion of mash for fish. `mash completion fish` prints this file; docs/install.md says where it belongs.
function __mash_lines
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
    $program --complete $words[2..-1] 2>/dev/null
end
complete -c mash -n 'not __mash_lines | string match -qr "^:(files|folders)\$"' -f
complete -c mash -a '(__mash_lines | string match -rv "^:")'
