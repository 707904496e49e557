import type { ReactNode } from "react";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";

/** A card with a title, and a sentence below the title where it needs one. */
export function TitledCard({
  id,
  title,
  text,
  className,
  children,
}: {
  id?: string;
  title: ReactNode;
  text?: ReactNode;
  /** Of its content. */
  className?: string;
  children: ReactNode;
}) {
  return (
    <Card id={id}>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {text && <CardDescription>{text}</CardDescription>}
      </CardHeader>
      <CardContent className={className}>{children}</CardContent>
    </Card>
  );
}
