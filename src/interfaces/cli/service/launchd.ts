import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Program } from './systemd.ts';

export const LABEL = 'hark-agent';

export function agentFile(): string {
  return join(homedir(), 'Library/LaunchAgents', `${LABEL}.plist`);
}

/** What launchd is told of hark, for the user who is logged in. */
export function launchAgent({ node, bin }: Program): string {
  const args = [node, '--v8-pool-size=0', '--max-semi-space-size=16', bin, 'start'];
  const data = join(homedir(), 'Library/Application Support/hark');
  const log = join(homedir(), 'Library/Logs/hark.log');
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${args.map((arg) => `    <string>${escaped(arg)}</string>`).join('\n')}
  </array>
  <key>WorkingDirectory</key><string>${escaped(data)}</string>
  <key>EnvironmentVariables</key>
  <dict><key>SERVICE_DATA_DIR</key><string>${escaped(data)}</string></dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key>
  <dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>15</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardOutPath</key><string>${escaped(log)}</string>
  <key>StandardErrorPath</key><string>${escaped(log)}</string>
</dict>
</plist>
`;
}

/** Where it works must be there before it starts. */
export function agentData(): string {
  return join(homedir(), 'Library/Application Support/hark');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
