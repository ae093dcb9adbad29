import type { ComponentChildren } from 'preact';
import { durationText, moneyText } from '../../words/format.ts';
import { RecalledList, RecalledMarks } from './recalled.tsx';
import type { Metadata } from './turn.ts';
import { words } from './words.ts';

/** What a reply took, and what it rests on. */
export function Receipt({ metadata }: { readonly metadata: Metadata }) {
  const { provider, model, durationMs, usage, recalled, stepCount, toolCallCount } = metadata;
  const { fallback, fallbackReason, usd } = metadata;
  const tokens = usage.inputTokens + usage.outputTokens;
  const line = [
    model ?? words.byRules,
    durationText(durationMs),
    tokens > 0 ? words.tokens(tokens) : '',
    usd === undefined ? '' : moneyText(usd),
    toolCallCount > 0 ? words.toolCalls(toolCallCount) : '',
    recalled.length > 0 ? words.recalledCount(recalled.length) : '',
    fallback ? words.fellBackShort : '',
  ];
  return (
    <>
      {recalled.length > 0 ? <RecalledMarks ids={recalled} /> : null}
      <details class="receipt">
        <summary>
          <span class="hidden-text">{words.receipt}: </span>
          <span>{line.filter(Boolean).join(' · ')}</span>
        </summary>
        <dl>
          <Row says={words.model}>
            {provider === null ? words.byRules : `${provider} · ${model}`} ({metadata.slot})
          </Row>
          {fallback ? (
            <Row says={words.fellBack}>{words.fellBackWhy[fallbackReason ?? 'unknown']}</Row>
          ) : null}
          <Row says={words.time}>
            {durationText(durationMs)}, {words.steps(stepCount)}
          </Row>
          <Row says={words.tokensHead}>
            {words.tokensInOut(usage.inputTokens, usage.outputTokens)}
            {metadata.toolTokens > 0 ? `; ${words.toolTokens(metadata.toolTokens)}` : ''}
          </Row>
          <Row says={words.price}>{usd === undefined ? words.noPrice : moneyText(usd)}</Row>
          {recalled.length > 0 ? (
            <Row says={words.recalled}>
              <RecalledList ids={recalled} />
            </Row>
          ) : null}
        </dl>
      </details>
    </>
  );
}

function Row({ says, children }: { readonly says: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{says}</dt>
      <dd>{children}</dd>
    </div>
  );
}
