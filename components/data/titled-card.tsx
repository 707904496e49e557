import Link from "next/link";
import type { ComponentProps, ReactNode } from "react";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";

/** A card with a title, a sentence below the title where it needs one, and what is opposite the title. */
export function TitledCard({
  title,
  text,
  action,
  contentClass,
  children,
  ...card
}: Omit<ComponentProps<typeof Card>, "title"> & {
  title: ReactNode;
  text?: ReactNode;
  action?: ReactNode;
  contentClass?: string;
}) {
  return (
    <Card {...card}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {text && <CardDescription>{text}</CardDescription>}
        {action && <CardAction>{action}</CardAction>}
      </CardHeader>
      <CardContent className={contentClass}>{children}</CardContent>
    </Card>
  );
}

/** A part of a page with its heading, and what is opposite the heading. */
export function Section({
  id,
  title,
  aside,
  children,
}: Record<"title" | "aside" | "children", ReactNode> & { id: string }) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id={id} className="font-semibold">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The link to all of what a part of a page shows some of. */
export function AllLink(props: { href: string; children: ReactNode }) {
  return <Link {...props} className="touch text-link text-sm underline-offset-4 hover:underline" />;
}
