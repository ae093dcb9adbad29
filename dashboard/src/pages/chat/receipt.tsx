import type { ComponentChildren } from 'preact';
import { durationText, moneyText } from '../../words/format.ts';
import { RecalledList, RecalledMarks } from './recalled.tsx';
import type { Metadata } from './turn.ts';
import { words } from './words.ts';

/** What a reply took, and what it rests on. */
export function Receipt({ metadata, isReply }: { readonly metadata: Metadata; readonly isReply: boolean }) {
  const { provider, model, durationMs, usage, recalled, stepCount, toolCallCount } = metadata;
  const { fallback, fallbackReason, usd } = metadata;
  // Nobody answered at all, where it was stopped or went wrong before a model did.
  const byRules = isReply ? words.byRules : '';
  const tokens = usage.inputTokens + usage.outputTokens;
  const line = [
    model ?? byRules,
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
          {provider !== null || isReply ? (
            <Row says={words.model}>
              {provider === null ? byRules : `${provider} · ${model}`} ({metadata.slot})
            </Row>
          ) : null}
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
          {provider === null ? null : (
            <Row says={words.price}>{usd === undefined ? words.noPrice : moneyText(usd)}</Row>
          )}
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
