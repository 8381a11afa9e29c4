import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type ApiProblem, isSignedOut, problemOf } from '#client/dashboard/api/api-problem.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { addressOfFound, type Found } from '#client/dashboard/shell/found-address.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import { Icon } from '#client/dashboard/ui/icon.tsx';

type Result = { readonly found?: readonly Found[]; readonly problem?: ApiProblem };

/** Finds records by whole ids, references or customers. One result is opened at once, more are listed. */
export function SearchBox({ input }: { readonly input: Ref<HTMLInputElement> }) {
  const messages = useMessages(FRAME);
  const { can } = useSession();
  const [text, setText] = useState('');
  const { result, search, close } = useSearch();
  if (!can('payments:read')) return <div class="search" />;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') void search(text.trim());
  };
  return (
    <search class="search">
      <form onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && close()}>
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          class="search-input"
          aria-label={messages.search}
          placeholder={messages.searchHint}
          autocomplete="off"
          maxLength={255}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </form>
      <div role="status">{result && <Results result={result} onClose={close} />}</div>
    </search>
  );
}

/** The results of the newest search. Another page or organization closes them, and what is still on its way is dropped. */
function useSearch() {
  const { api, endSession } = useSession();
  const { route, url } = useLocation();
  const [result, setResult] = useState<Result>();
  const latest = useRef(0);
  const close = (): void => {
    latest.current += 1;
    setResult(undefined);
  };
  useEffect(close, [url, api]);
  async function search(q: string): Promise<void> {
    latest.current += 1;
    const mine = latest.current;
    try {
      const { results } = await api.search.findRecords({ q });
      if (mine !== latest.current) return;
      const [only] = results;
      if (only && results.length === 1) route(addressOfFound(only));
      else setResult({ found: results });
    } catch (error) {
      const problem = problemOf(error);
      if (isSignedOut(problem)) endSession();
      if (mine === latest.current) setResult({ problem });
    }
  }
  return { result, search, close };
}

type ResultsProps = { readonly result: Result; readonly onClose: () => void };

function Results({ result: { found = [], problem }, onClose }: ResultsProps) {
  const messages = useMessages(FRAME);
  if (problem) return <p class="search-panel">{problem.status === 0 ? messages.offline : problem.message}</p>;
  if (found.length === 0) return <p class="search-panel">{messages.searchNothing}</p>;
  return (
    <ul class="search-panel">
      {found.map((record) => (
        <li key={record.id}>
          <a href={addressOfFound(record)} onClick={onClose}>
            <span class="muted">{wordsOf(record.type)}</span> <code>{record.id}</code>
          </a>
        </li>
      ))}
    </ul>
  );
}
