import { useState } from 'preact/hooks';
import { type ApiProblem, fieldError } from '#client/dashboard/api/api-problem.ts';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { serverNow } from '#client/dashboard/api/server-time.ts';
import { convertDigits } from '#client/dashboard/i18n/convert-digits.ts';
import { CURRENCY_CODES } from '#client/dashboard/i18n/currency-codes.ts';
import { useFormats, useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { type LinkDraft, linkInput, newDraft } from '#client/dashboard/screens/payments/link-draft.ts';
import { LinkReady } from '#client/dashboard/screens/payments/link-ready.tsx';
import { PAYMENTS } from '#client/dashboard/screens/payments/payments.catalog.ts';
import { AmountInput } from '#client/dashboard/ui/amount-input.tsx';
import { Checkbox, Select } from '#client/dashboard/ui/choices.tsx';
import { ConfirmDialog } from '#client/dashboard/ui/confirm-dialog.tsx';
import { Input } from '#client/dashboard/ui/field.tsx';
import type { CreatedPaymentLink } from '#client/typescript/src/generated/schemas.ts';

type Props = { readonly currency: string | undefined; readonly onClose: () => void };

/** Makes a page where a customer pays, and shows its address. */
export function NewLinkDialog({ currency, onClose }: Props) {
  const texts = useMessages(PAYMENTS);
  const { money } = useFormats();
  const [draft, change] = useState(() => newDraft(currency));
  const [link, setLink] = useState<CreatedPaymentLink>();
  if (link) return <LinkReady link={link} onClose={onClose} />;
  const input = linkInput(draft, serverNow());
  return (
    <ConfirmDialog
      title={texts.newLinkTitle}
      confirm={input ? texts.createLink(money(input.amount, input.currency)) : texts.newLink}
      input={input}
      send={(api, sent, options) => api.paymentLinks.create(sent, options)}
      onDone={(created) => {
        invalidate('payment-links');
        setLink(created);
      }}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>{texts.newLinkText}</p>
          <LinkFields draft={draft} change={change} problem={problem} />
        </>
      )}
    </ConfirmDialog>
  );
}

const CURRENCIES = CURRENCY_CODES.map((code) => ({ value: code, label: code }));
const EXPIRES_IN = [1, 7, 30];

type FieldsProps = {
  readonly draft: LinkDraft;
  readonly change: (draft: LinkDraft) => void;
  readonly problem: ApiProblem | undefined;
};

function LinkFields({ draft, change, problem }: FieldsProps) {
  const texts = useMessages(PAYMENTS);
  const set = (more: Partial<LinkDraft>): void => change({ ...draft, ...more });
  return (
    <>
      <div class="link-fields">
        {/* The key: the field writes the amount anew with the decimals of another currency. */}
        <AmountInput
          key={draft.currency}
          label={texts.amount}
          currency={draft.currency}
          value={draft.amount}
          onValue={(amount) => set({ amount })}
          error={fieldError(problem, 'amount')}
        />
        <Select
          label={texts.currency}
          value={draft.currency}
          options={CURRENCIES}
          onValue={(currency) => set({ currency, amount: convertDigits(draft, currency) })}
          error={fieldError(problem, 'currency')}
        />
      </div>
      <Input
        label={texts.description}
        hint={texts.descriptionHint}
        isOptional
        maxLength={500}
        value={draft.description}
        onValue={(description) => set({ description })}
        error={fieldError(problem, 'description')}
      />
      <LinkLimits {...{ draft, change, problem }} />
      <Checkbox
        label={texts.captureLater}
        hint={texts.captureLaterHint}
        isChecked={draft.isCapturedLater}
        onChecked={(isCapturedLater) => set({ isCapturedLater })}
      />
    </>
  );
}

/** How often, and how long. */
function LinkLimits({ draft, change, problem }: FieldsProps) {
  const texts = useMessages(PAYMENTS);
  const { plural } = useFormats();
  const set = (more: Partial<LinkDraft>): void => change({ ...draft, ...more });
  return (
    <div class="link-fields">
      <Input
        label={texts.maxPayments}
        hint={texts.maxPaymentsHint}
        type="number"
        min={1}
        step={1}
        value={draft.maxPayments}
        onValue={(maxPayments) => set({ maxPayments })}
        error={fieldError(problem, 'max_payments')}
      />
      <Select
        label={texts.expires}
        value={draft.expiresIn}
        options={[
          { value: '', label: texts.never },
          ...EXPIRES_IN.map((days) => ({ value: String(days), label: plural(days, texts.inDays) })),
        ]}
        onValue={(expiresIn) => set({ expiresIn })}
        error={fieldError(problem, 'expires_at')}
      />
    </div>
  );
}
