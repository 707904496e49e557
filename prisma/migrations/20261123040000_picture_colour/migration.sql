-- The colour of an image, such as "#0f5257", for the cards, passes and e-mails of its merchant. Null until it is measured:
-- for an image from before this column, when its card is first shown.
ALTER TABLE uploads ADD COLUMN colour text
  CONSTRAINT uploads_colour_check CHECK (colour ~ '^#[0-9a-f]{6}$');
