-- The owner who posts a kept top-up from the inbox: it is not posted to a card of theirs.
ALTER TYPE "posting_row" ADD ATTRIBUTE "resolver" uuid;
