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
