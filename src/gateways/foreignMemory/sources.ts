/** How what a file holds is to be read. */
export type Format = 'notes' | 'aider-history' | 'aider-settings' | 'lines';

export interface Place {
  /** Of a file below a base: `*` stands for any part of a name, `**` for any folders. */
  readonly pattern: string;
  readonly format: Format;
}

export interface MemorySource {
  readonly id: string;
  readonly name: string;
  /** The place that people know, below the home directory. */
  readonly usualPlace: string;
  /** Below the home directory. */
  readonly home: readonly Place[];
  /** Below the folder of a project. */
  readonly project: readonly Place[];
}

function notes(...patterns: readonly string[]): readonly Place[] {
  return patterns.map((pattern) => ({ pattern, format: 'notes' }));
}

/** What VS Code keeps for its user, on each system. */
const VS_CODE = ['.config/Code/User', 'Library/Application Support/Code/User', 'AppData/Roaming/Code/User'];

/**
 * Where these tools keep what they were told to remember. Windsurf's own memories are `.pb` files that only
 * Windsurf reads: they are looked at, so that the report says that they could not be taken in.
 */
export const foreignTools: readonly MemorySource[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    usualPlace: '.claude',
    home: notes('.claude/CLAUDE.md', '.claude/rules/**/*.md', '.claude/projects/*/memory/*.md'),
    project: notes('CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', '.claude/rules/**/*.md'),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    usualPlace: '.cursor/rules',
    home: notes('.cursor/rules/**/*.mdc', '.cursor/rules/**/*.md'),
    project: notes('.cursor/rules/**/*.mdc', '.cursor/rules/**/*.md', '.cursorrules'),
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    usualPlace: '.codeium/windsurf/memories',
    home: notes('.codeium/windsurf/memories/*.md', '.codeium/windsurf/memories/*.pb'),
    project: notes('.windsurf/rules/**/*.md', '.windsurfrules'),
  },
  {
    id: 'aider',
    name: 'Aider',
    usualPlace: '.aider.conf.yml',
    home: [],
    project: [
      { pattern: '.aider.conf.yml', format: 'aider-settings' },
      { pattern: '.aider.chat.history.md', format: 'aider-history' },
      ...notes('CONVENTIONS.md'),
    ],
  },
  {
    id: 'copilot',
    name: 'GitHub Copilot',
    usualPlace: '.config/Code/User/prompts',
    home: notes(
      '.copilot/copilot-instructions.md',
      '.copilot/instructions/**/*.instructions.md',
      ...VS_CODE.map((folder) => `${folder}/prompts/*.instructions.md`),
    ),
    project: notes('.github/copilot-instructions.md', '.github/instructions/**/*.instructions.md'),
  },
];
