import { type Check, fail, ok } from './check.ts';

const OLDEST_NODE = 24;

export const runtimeCheck: Check = {
  name: 'runtime',
  run() {
    const { node } = process.versions;
    if (Number.parseInt(node, 10) >= OLDEST_NODE) return [ok(`Node ${node}`)];
    return [fail(`Node ${node} is too old`, `Install Node ${OLDEST_NODE} or newer, or run: npm ci`)];
  },
};

export const configurationCheck: Check = {
  name: 'configuration',
  run({ config, configProblems }) {
    if (configProblems.length === 0) {
      const { size } = config.fromEnvironment;
      return [ok(`valid, ${size === 1 ? 'one variable' : `${size} variables`} set by the environment`)];
    }
    return configProblems.map((problem) => fail(problem, 'Set the variable as it says, or unset it'));
  },
};
