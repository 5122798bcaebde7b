import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { Button, Text } from 'react-native';
import type { DeviceFile } from './device-file.ts';
import { UploadInvoiceDocument } from './documents.ts';

interface InvoiceButtonProps {
  payment: string;
  /** Opens the camera or a picker. Undefined if the user takes no picture. */
  pick: () => Promise<DeviceFile | undefined>;
}

export function InvoiceButton({ payment, pick }: InvoiceButtonProps) {
  const [upload, { data, error, loading }] = useMutation(UploadInvoiceDocument);
  const [sent, setSent] = useState(0);

  async function attach() {
    const invoice = await pick();
    if (!invoice) return;
    // With this key, an upload that is sent again is one upload.
    const headers = { 'idempotency-key': crypto.randomUUID() };
    await upload({ variables: { payment, invoice }, context: { headers, onProgress: setSent } });
  }

  return (
    <>
      <Button title="Attach an invoice" disabled={loading} onPress={() => void attach()} />
      {loading && <Text>{Math.round(100 * sent)} % sent</Text>}
      {error && <Text accessibilityRole="alert">{error.message}</Text>}
      {data?.uploadInvoice && <Text>The invoice is attached.</Text>}
    </>
  );
}
