interface Shell {
  /** The script that makes the shell complete the words of `bellhop`. */
  readonly script: string;
  /** A line with which `bellhop complete` proposes a word. */
  readonly proposal: (word: string, about: string) => string;
}

export const shells: Readonly<Record<string, Shell>> = {
  bash: {
    script: `_bellhop() {
  local IFS=$'\\n'
  COMPREPLY=($(bellhop complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ "\${COMPREPLY[*]}" != */ ]] || compopt -o nospace 2>/dev/null
}
complete -F _bellhop bellhop`,
    proposal: (word) => word.replaceAll(/[^\w@%+=:,./~-]/g, String.raw`\$&`),
  },
  zsh: {
    script: `_bellhop() {
  local line
  local -a words_found places_found
  for line in "\${(@f)$(bellhop complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      */) places_found+=("$line") ;;
      *) words_found+=("$line") ;;
    esac
  done
  _describe bellhop words_found
  compadd -S '' -- $places_found
}
compdef _bellhop bellhop`,
    proposal: (word, about) =>
      word.endsWith('/') ? word : `${word.replaceAll(':', String.raw`\:`)}:${about}`,
  },
  fish: {
    script: `complete --command bellhop --no-files --arguments '(bellhop complete fish -- (commandline -opc)[2..-1] "$(commandline -ct)" 2>/dev/null)'`,
    proposal: (word, about) => `${word}\t${about}`,
  },
};

/** Finds a shell by its name. Throws a SyntaxError. */
export function parseShell(name: string): Shell {
  const shell = Object.hasOwn(shells, name) ? shells[name] : undefined;
  if (shell) return shell;
  throw new SyntaxError(`write one of ${Object.keys(shells).join(', ')}`);
}
