package node_test

import (
	"encoding/base64"
	"encoding/binary"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// TestStakeOfTheValidator delegates to the validator that the node tells, and finds the stake as wallets do: by its
// validator and by who may withdraw it.
func TestStakeOfTheValidator(t *testing.T) {
	f := startFlow(t)
	votes := f.ok(t, 0, "getVoteAccounts").Text("current", 0, "votePubkey")
	account := f.ok(t, 0, "getAccountInfo", votes, object{"encoding": "base64"})
	assert.Equal(t, solana.VoteProgramID.String(), account.Text("value", "owner"))
	assert.Equal(t, "3762", account.Text("value", "space"))

	const lamports = 1_500_000_000
	k, voter := build.PublicKey(f.Keypair("stake")), solana.MustPublicKeyFromBase58(votes)
	meta, clock, history := solana.Meta, solana.SysVarClockPubkey, solana.SysVarStakeHistoryPubkey
	initialize := append(append(make([]byte, 4), f.me[:]...), f.me[:]...)
	f.do(t, []string{"stake"},
		system.NewCreateAccountInstruction(ledger.Rent(200)+lamports, 200, solana.StakeProgramID, f.me, k).Build(),
		solana.NewInstruction(solana.StakeProgramID, solana.AccountMetaSlice{meta(k).WRITE(), meta(solana.SysVarRentPubkey)},
			append(initialize, make([]byte, 48)...)),
		solana.NewInstruction(solana.StakeProgramID, solana.AccountMetaSlice{meta(k).WRITE(), meta(voter), meta(clock),
			meta(history), meta(solana.PublicKey{9}), meta(f.me).SIGNER()}, binary.LittleEndian.AppendUint32(nil, 2)))
	for offset, key := range map[int]string{44: f.me.String(), 124: votes} {
		found := f.ok(t, 0, "getProgramAccounts", solana.StakeProgramID, object{"encoding": "jsonParsed",
			"commitment": "confirmed", "filters": []any{object{"dataSize": 200},
				object{"memcmp": object{"offset": offset, "bytes": key}}}})
		require.Equal(t, k.String(), found.Text(0, "pubkey"))
		parsed := answer{JSON: found.At(0, "account", "data", "parsed")}
		assert.Equal(t, "delegated", parsed.Text("type"))
		assert.Equal(t, votes, parsed.Text("info", "stake", "delegation", "voter"))
		assert.Equal(t, "1500000000", parsed.Text("info", "stake", "delegation", "stake"))
	}
	data := f.ok(t, 0, "getAccountInfo", k, object{"encoding": "base64", "commitment": "confirmed"}).Text("value", "data", 0)
	raw, err := base64.StdEncoding.DecodeString(data)
	require.NoError(t, err)
	assert.Len(t, raw, 200)
}
