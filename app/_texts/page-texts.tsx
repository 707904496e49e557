import { getLocale } from "next-intl/server";
import type { ComponentType, ReactNode } from "react";
import { TextsProvider } from "@/components/theme/texts-provider";
import type { Locale, Role } from "@/lib/domain/roles";
import { type Entry, FRAME, textFile } from "./text-files";

/** Gives the client components below it the texts of an entry, besides those of the layouts around it. */
export async function ClientTexts({ of, children }: { of: Entry; children: ReactNode }) {
  return <TextsProvider file={textFile((await getLocale()) as Locale, of)}>{children}</TextsProvider>;
}

/** Gives the client components below it the texts of the frame of a role's panel. */
export async function PanelTexts({ of, children }: { of: Role; children: ReactNode }) {
  return <TextsProvider file={textFile((await getLocale()) as Locale, FRAME, of)}>{children}</TextsProvider>;
}

/** A page with the texts of its client components. `npm run texts` writes which ones those are. */
export function withTexts<P extends object>(of: Entry, Page: ComponentType<P>) {
  return function PageWithTexts(props: P) {
    return (
      <ClientTexts of={of}>
        <Page {...props} />
      </ClientTexts>
    );
  };
}
