import { useEffect, useState } from 'preact/hooks';
import { useResource } from '../../api/resource.ts';
import { Go } from '../../parts/go.tsx';
import { Plain, visible } from '../../parts/plain.tsx';
import { Scroll, Table } from '../../parts/scroll.tsx';
import { Reading } from '../../parts/states.tsx';
import { asItWas } from '../../state/moment.ts';
import { addressOf } from '../../state/place.ts';
import { shareText } from '../../words/format.ts';
import { entityTopics, type OneEntity, pathOf } from './entity.ts';
import { type Near, type Picture, pictureOf, USER } from './picture.ts';
import { words } from './words.ts';

const MOST = 60;

/** What an entity has to do with others, two hops away: as a picture, and the same as a table. */
export function Neighbourhood({ entity: { id } }: { readonly entity: OneEntity }) {
  const input = { id, hops: 2, limit: MOST, ...asItWas() };
  const read = useResource('GET /api/entities/:id/neighbourhood', input, entityTopics);
  const near = read.data.value;
  if (!near) return <Reading of={read} />;
  return (
    <section class="entity-part">
      <h2>{words.near}</h2>
      {near.relationships.length === 0 ? (
        <p class="quiet">{words.noNear}</p>
      ) : (
        <>
          <Drawn near={near} />
          {near.more > 0 ? <p class="quiet small">{words.more(near.more)}</p> : null}
          <AsTable near={near} />
        </>
      )}
    </section>
  );
}

const [LABEL, HALF_LINE] = [22, 4];
/** It is never drawn so small that its names cannot be read, then it scrolls; nor so large that two are giants. */
const [LEAST_SCALE, MOST_SCALE, WIDEST] = [0.85, 1.3, 640];

function Drawn({ near }: { readonly near: Near }) {
  const [picture, setPicture] = useState<Picture>();
  useEffect(() => {
    let isShown = true;
    void pictureOf(near).then((drawn) => {
      if (isShown) setPicture(drawn);
    });
    return () => {
      isShown = false;
    };
  }, [near]);
  if (!picture) return <div style={{ minHeight: '12rem' }} />;
  const { box, lines, nodes } = picture;
  return (
    <Scroll label={words.picture}>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset stands around a drawing */}
      <svg
        class="entity-picture"
        style={{
          minWidth: `${Math.min(WIDEST, LEAST_SCALE * box.width)}px`,
          maxWidth: `${MOST_SCALE * box.width}px`,
        }}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        role="group"
        aria-label={words.picture}
      >
        {lines.map(({ id, from, to, isOfUser }) => (
          <line key={id} class={isOfUser ? 'faint' : ''} x1={from.x} y1={from.y} x2={to.x} y2={to.y} />
        ))}
        {nodes.map(({ id, x, y, radius, entity }) => {
          if (!entity)
            return (
              <g key={id} class="you" transform={`translate(${x} ${y})`}>
                <circle r={radius} />
                <text y={radius + 3 * HALF_LINE}>{words.you}</text>
              </g>
            );
          const name = visible(entity.name);
          const where = entity.hops === 0 ? words.centre : words.hops(entity.hops);
          return (
            <a
              key={id}
              href={addressOf(pathOf(id))}
              class={entity.hops === 0 ? 'centre' : ''}
              aria-label={`${name.slice(0, 120)}, ${words.types[entity.type]}, ${where}`}
              {...(entity.hops === 0 ? { 'aria-current': 'page' } : {})}
            >
              <g transform={`translate(${x} ${y})`}>
                <circle r={radius} />
                <text y={radius + 3 * HALF_LINE}>
                  {name.length > LABEL ? `${name.slice(0, LABEL - 1)}…` : name}
                </text>
              </g>
            </a>
          );
        })}
      </svg>
    </Scroll>
  );
}

function AsTable({ near: { entities, relationships } }: { readonly near: Near }) {
  const names = new Map(entities.map((entity) => [entity.id, entity.name]));
  const end = (id: string) =>
    id === USER ? (
      words.you
    ) : (
      <Go to={pathOf(id)}>
        <Plain text={names.get(id) ?? id} most={120} />
      </Go>
    );
  return (
    <details class="entity-same">
      <summary>{words.table}</summary>
      <Table label={words.table}>
        <thead>
          <tr>
            <th scope="col">{words.from}</th>
            <th scope="col">{words.how}</th>
            <th scope="col">{words.to}</th>
            <th scope="col" class="number">
              {words.certainty}
            </th>
          </tr>
        </thead>
        <tbody>
          {relationships.map(({ id, from, to, type, confidence }) => (
            <tr key={id}>
              <td>{end(from)}</td>
              <td>
                <Plain text={type.replaceAll('_', ' ')} most={80} />
              </td>
              <td>{end(to)}</td>
              <td class="number">{shareText(confidence)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </details>
  );
}
