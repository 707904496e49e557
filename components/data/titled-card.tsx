import type { ComponentProps, ReactNode } from "react";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";

/** A card with a title, and a sentence below the title where it needs one. */
export function TitledCard({
  title,
  text,
  contentClass,
  children,
  ...card
}: Omit<ComponentProps<typeof Card>, "title"> & {
  title: ReactNode;
  text?: ReactNode;
  contentClass?: string;
}) {
  return (
    <Card {...card}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {text && <CardDescription>{text}</CardDescription>}
      </CardHeader>
      <CardContent className={contentClass}>{children}</CardContent>
    </Card>
  );
}
