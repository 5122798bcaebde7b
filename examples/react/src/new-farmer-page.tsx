import { type SubmitEvent, useState } from 'react';
import { useChoices } from './choices.ts';
import { failuresOf } from './failure.ts';
import { Failures } from './failures.tsx';
import { Field } from './field.tsx';
import { add } from './outbox/queue-changes.ts';
import { type NewWrite, newRef } from './outbox/queued-write.ts';
import { useOutbox } from './outbox/use-outbox.ts';
import { PurchaseFields, textOf } from './purchase-fields.tsx';

/** Bounds as in the schema: offline nobody else checks them for hours. */
const fields = [
  { name: 'first_name', label: 'First name', maxLength: 100, required: true },
  { name: 'last_name', label: 'Last name', maxLength: 100 },
  { name: 'province', label: 'Province', maxLength: 500 },
  { name: 'country', label: 'Country', maxLength: 500 },
  { name: 'card', label: 'Card', maxLength: 100 },
];

/** Buys from a farmer whom the service does not know yet. All of it goes through the outbox, with or without a network. */
export function NewFarmerPage() {
  const choices = useChoices();
  const { queue, sender } = useOutbox();
  const [outcome, setOutcome] = useState<'saving' | 'saved' | 'failed'>();

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (!choices.company) return;
    const added = writesOf(new FormData(form), choices.company.id);
    // A second tap on the button would be another farmer.
    setOutcome('saving');
    try {
      await queue.change((all) => add(all, added, Date.now()));
    } catch {
      return setOutcome('failed');
    }
    setOutcome('saved');
    form.reset();
    void sender.send();
  }

  return (
    <>
      <h1>New farmer</h1>
      {!choices.ready && <Failures failures={failuresOf(choices.error)} onRetry={() => choices.refetch()} />}
      <form onSubmit={submit} onInput={() => setOutcome(undefined)}>
        <fieldset disabled={!choices.company || outcome === 'saving'}>
          {fields.map(({ name, label, maxLength, required = false }) => (
            <Field key={name} label={label} message={undefined}>
              {(attributes) => <input name={name} maxLength={maxLength} required={required} {...attributes} />}
            </Field>
          ))}
          <h2>Purchase</h2>
          <PurchaseFields choices={choices} currency={choices.company?.currency?.id} decimal="\d+(\.\d{1,3})?" />
          <button type="submit">Save</button>
        </fieldset>
      </form>
      {outcome === 'saved' && <p role="status">Saved on this device. The outbox shows what becomes of it.</p>}
      {outcome === 'failed' && <p role="alert">This device could not save it. Write it down.</p>}
    </>
  );
}

/** One write for each object, in the order in which they need each other. */
function writesOf(form: FormData, company: string): NewWrite[] {
  const text = (name: string) => textOf(form, name);
  const [farmer, card, purchase] = [newRef(), newRef(), newRef()];
  const name = `${text('first_name')} ${text('last_name')}`.trim();
  // The time of the purchase, however late it is sent.
  const date = new Date().toISOString();
  return [
    {
      ref: farmer,
      title: `Farmer ${name}`,
      write: {
        createFarmer: {
          first_name: text('first_name'),
          last_name: text('last_name'),
          // Some services need both.
          ...(text('province') && { province: text('province') }),
          ...(text('country') && { country: text('country') }),
        },
      },
    },
    text('card') && {
      ref: card,
      title: `Card of ${name}`,
      write: { createEntityCard: { card: { card_id: text('card') }, entity: `$${farmer}` } },
    },
    {
      ref: purchase,
      title: `Purchase from ${name}`,
      write: {
        createProductTransaction: {
          source: `$${farmer}`,
          destination: company,
          product: text('product'),
          quantity: text('quantity'),
          amount: text('amount'),
          currency: text('currency'),
          date,
          ...(text('card') && { card: `$${card}` }),
        },
      },
    },
    text('premium') && {
      ref: newRef(),
      title: `Premium for ${name}`,
      write: {
        createPaymentTransaction: {
          source: company,
          destination: `$${farmer}`,
          transaction: `$${purchase}`,
          premium: text('premium'),
          amount: Number(text('premium-amount')),
          currency: text('currency'),
          date,
        },
      },
    },
  ].filter((write) => write !== '');
}
