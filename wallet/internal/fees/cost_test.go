package fees_test

import (
	"crypto/sha256"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus/hold"
	"github.com/walletfi/walletfi-go/wallet/internal/fees"
)

// TestCostIsTheGuards: of every honest transaction of the corpus the bytes cost what the guard
// reports.
func TestCostIsTheGuards(t *testing.T) {
	seed := sha256.Sum256([]byte("owner of the corpus"))
	key, err := signing.NewLocalKeyFromSeed(seed[:])
	require.NoError(t, err)
	compared, priced, sponsored := 0, 0, 0
	for _, c := range corpus.Benigns(corpus.Config{Owner: key.PublicKey(), Seed: 1}) {
		txs, report, err := hold.Guard(c.Case).SignSet(t.Context(), c.Case.Unsigned, key, hold.Options(c.Case)...)
		require.NoError(t, err, c.Case.Name)
		for i, told := range report.Transactions {
			cost := fees.Of(txs[i], key.PublicKey())
			compared++
			if told.FeePayer != key.PublicKey() {
				sponsored++
				require.Zero(t, cost.Lamports(), c.Case.Name)
				continue
			}
			require.Equal(t, told.BaseFeeLamports, walletfi.Amount(cost.Base), c.Case.Name)
			require.Equal(t, told.PriorityLamports, walletfi.Amount(cost.Priority), c.Case.Name)
			if cost.Priority > 0 {
				priced++
			}
		}
	}
	require.Greater(t, compared, 200)
	require.Greater(t, priced, 5)
	require.Positive(t, sponsored)
}

// TestWritable: what others can write too, those of tables included.
func TestWritable(t *testing.T) {
	owner, pool, table := solana.PublicKey{1}, solana.PublicKey{2}, solana.PublicKey{3}
	listed, read := solana.PublicKey{4}, solana.PublicKey{5}
	built, err := solana.NewTransaction([]solana.Instruction{solana.NewInstruction(solana.PublicKey{9}, solana.AccountMetaSlice{
		solana.Meta(owner).SIGNER().WRITE(), solana.Meta(pool).WRITE(), solana.Meta(listed).WRITE(), solana.Meta(read),
	}, []byte{1})}, solana.Hash{1}, solana.TransactionPayer(owner),
		solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {read, listed}}))
	require.NoError(t, err)
	built.Signatures = make([]solana.Signature, 1)
	text, err := built.ToBase64()
	require.NoError(t, err)
	tx, err := signing.Decode(base64(text))
	require.NoError(t, err)
	require.Len(t, tx.Lookups(), 1)
	txs := []*signing.Transaction{tx, tx}
	require.ElementsMatch(t, []string{pool.String(), listed.String()}, fees.Writable(txs, func(k signing.PublicKey) (signing.LookupTable, error) {
		require.Equal(t, signing.PublicKey(table), k)
		return signing.LookupTable{Addresses: []signing.PublicKey{signing.PublicKey(read), signing.PublicKey(listed)}}, nil
	}))
	for _, resolve := range []fees.Resolver{
		func(signing.PublicKey) (signing.LookupTable, error) { return signing.LookupTable{}, signing.ErrUnknown },
		func(signing.PublicKey) (signing.LookupTable, error) {
			return signing.LookupTable{Addresses: []signing.PublicKey{{7}}}, nil
		},
	} {
		require.Equal(t, []string{pool.String()}, fees.Writable(txs, resolve))
	}
}
