"use client";

import { CopyButton } from "@/components/data/copy-button";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";

/** A secret, once: it is nowhere to be read again. Only its button closes it. */
export function ShownSecret({
  secret,
  texts,
  close,
}: {
  secret: string;
  texts: { title: string; text: string; copy: string; done: string };
  close: () => void;
}) {
  return (
    <Dialog open>
      <DialogContent>
        <DialogHeader title={texts.title} text={texts.text} />
        <output className="block break-all rounded-md border bg-muted p-3 font-mono text-sm" dir="ltr">
          {secret}
        </output>
        <DialogFooter>
          <CopyButton text={secret} label={texts.copy} />
          <Button onClick={close}>{texts.done}</Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  );
}
