import { useEffect, useState } from 'preact/hooks';
import { useAction } from '#client/dashboard/api/use-action.ts';
import { useFormats } from '#client/dashboard/i18n/i18n.tsx';
import { Alert } from '#client/dashboard/ui/alert.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { ActionProblem } from '#client/dashboard/ui/confirm-dialog.tsx';
import type { ConnectionTest, SaveConnection } from '#client/typescript/src/index.ts';

type TestCredentialsProps = { readonly input: SaveConnection | undefined };

/** Asks the provider whether it accepts what is typed. Nothing is saved. */
export function TestCredentials({ input }: TestCredentialsProps) {
  const [tested, setTested] = useState<ConnectionTest>();
  const action = useAction(
    (api, sent: SaveConnection, options) => api.connections.test(sent, options),
    (result) => setTested(result),
    { isSafe: true },
  );
  const typed = JSON.stringify(input);
  // A result is about what was typed then.
  useEffect(() => setTested(undefined), [typed]);
  return (
    <div class="stack-small">
      <div>
        <Button disabled={input === undefined} isPending={action.isPending} onClick={() => input && action.run(input)}>
          Test credentials
        </Button>
      </div>
      <div role="status">{tested && <TestResult tested={tested} />}</div>
      <ActionProblem problem={action.problem} isUnknown={false} />
    </div>
  );
}

const TONES = { valid: 'good', invalid: 'bad', unreachable: 'warn' } as const;

function TestResult({ tested: { message, validation, warnings = [] } }: { readonly tested: ConnectionTest }) {
  const { duration } = useFormats();
  const { credentials, account_name, name_match_status, latency_ms } = validation;
  return (
    <Alert tone={credentials === 'valid' && warnings.length > 0 ? 'warn' : TONES[credentials]}>
      <p>{message}</p>
      {account_name !== null && (
        <p>
          The account is called {account_name}
          {name_match_status === 'mismatch' && ', which is not the legal name of this organization'}.
        </p>
      )}
      {credentials !== 'unreachable' && <p class="muted">The provider answered within {duration(latency_ms)}.</p>}
      {warnings.map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
    </Alert>
  );
}
