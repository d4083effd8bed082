package ledger

import (
	"crypto/sha256"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// A vote account of version 3: the layout that VoteState has since Solana 1.14 and its length.
const (
	voteVersion = 2
	voteSize    = 3762
	priorVoters = 32 * (32 + 8 + 8)
	rootBehind  = 31
)

// voteAccount is where the one validator votes.
func (l *Ledger) voteAccount() solana.PublicKey {
	return sha256.Sum256(l.derivation("vote account", 0))
}

// newVoteAccount is that account as it was at a slot, with one vote. The votes of later blocks are in the
// blocks only: no program of the ledger's reads them, and what the validator earned stays the same.
func (l *Ledger) newVoteAccount(slot uint64) Account {
	identity := sha256.Sum256(l.derivation("voter", 0))
	epoch, last := slot/slotsInEpoch, l.clock.BlockAt(slot-1)
	b := slices.Concat([]byte{voteVersion, 0, 0, 0}, identity[:], identity[:], // the node, and who may withdraw
		[]byte{0}, numbers(1), []byte{0}, numbers(last), []byte{1, 0, 0, 0}, // no commission; one vote, confirmed once
		[]byte{1}, numbers(last-rootBehind), // there is a root
		numbers(1, epoch), identity[:], // one voter is authorized since this epoch
		make([]byte, priorVoters), numbers(31), []byte{1}, // there were none before
		numbers(1, epoch, slot, epoch*slotsInEpoch), // the credits of one epoch, at its end and at its begin
		numbers(last, uint64(l.clock.TimeOf(last).Unix())))
	data := make([]byte, voteSize)
	copy(data, b)
	return Account{Lamports: Rent(voteSize), Owner: solana.VoteProgramID, Data: data}
}
