package proof

import (
	"context"
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// Asked is a transaction on a blockhash that may be dead, and what is known of its end.
type Asked struct {
	Blockhash, FeePayer string
	Message             []byte
	Signature           string        // of the fee payer, empty if it signs elsewhere, as often as it likes
	After               walletfi.Head // a block before all that can hold it
	Last                uint64        // the height of the last block that can: see Last
	Final               walletfi.Head // a finalized block beyond that
}

// Ask has a node take the next steps of its proof that a transaction is dead: the end of the
// blockhash, then two answers without the transaction. What it does not show is in e.Missing. If
// the signature is not known, it may find one.
func Ask(ctx context.Context, n walletfi.Prover, e *walletfi.NodeEvidence, a Asked) (signature string) {
	e.Missing = ""
	signature, err := ask(ctx, n, e, a)
	if err != nil {
		e.Missing = err.Error()
	}
	return signature
}

func ask(ctx context.Context, n walletfi.Prover, e *walletfi.NodeEvidence, a Asked) (signature string, err error) {
	if e.Gone.Height <= a.Last {
		state, err := n.BlockhashAt(ctx, a.Blockhash, a.Final.Slot)
		switch {
		case err != nil:
			return "", err
		case state.Valid:
			return "", errors.New("it still calls the blockhash valid")
		}
		e.Gone, e.Nulls = a.Final, nil
	}
	if len(e.Nulls) == 2 || Wait(e, a.Final) > 0 {
		return "", nil
	}
	q := walletfi.AbsenceQuery{After: a.After, Last: a.Last, Until: e.Gone, Blockhash: a.Blockhash}
	if a.Signature == "" {
		found, err := n.MessageAbsence(ctx, q, a.FeePayer, a.Message)
		switch {
		case err != nil:
			return "", err
		case found.Signature != "":
			return found.Signature, fmt.Errorf("the message is in the ledger, as %s", found.Signature)
		}
		AbsentMessage(e, q)
		return "", nil
	}
	q.Signatures = []string{a.Signature}
	absence, err := n.Absence(ctx, q)
	if err == nil {
		err = Covered(q, absence)
	}
	switch {
	case err != nil:
		return "", err
	case absence.Statuses[0].Found:
		e.Nulls = nil
		return "", errors.New("it knows the transaction")
	}
	Absent(e, NullOf(absence, a.Final))
	return "", nil
}
