-- By themselves: a new value of an enum may be used only after the transaction that adds it.
ALTER TYPE "MovementType" ADD VALUE 'REFUND';
ALTER TYPE "MovementType" ADD VALUE 'BONUS';
ALTER TYPE "MovementType" ADD VALUE 'EXPIRY';
