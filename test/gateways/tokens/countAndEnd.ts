import { Tokenizer } from '../../../src/gateways/tokens/tokenizer.ts';

const tokenizer = new Tokenizer({ onFailure: (what) => console.log(what) });
const [count] = await tokenizer.count(['Hello']);
console.log(count);
