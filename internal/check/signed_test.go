package check_test

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

var (
	payer = wiretest.Address(11)
	maker = wiretest.Address(12)
)

// pair is a transaction of two signers, payer and maker, whose slots are filled
// with the fillers; 0 is empty. last is the last byte of its blockhash.
func pair(first, second, last byte) walletfi.Base64Transaction {
	b := wiretest.Pair(11, 12, first, second)
	b[len(b)-2] = last
	return walletfi.Base64Transaction(base64.StdEncoding.EncodeToString(b))
}

func refusal(t *testing.T, err error, problem string) {
	t.Helper()
	if problem == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.ErrorContains(t, err, "tx")
	require.ErrorContains(t, err, problem)
}

func TestSigned(t *testing.T) {
	payerDue, makerDue := "lacks the signature of "+payer+", which pays the fee", "lacks the signature of "+maker+", which has to sign"
	for name, row := range map[string]struct {
		tx      walletfi.Base64Transaction
		late    []string
		problem string
	}{
		"all signed":                   {pair(1, 2, 0), nil, ""},
		"as it was built":              {pair(0, 0, 0), nil, payerDue},
		"as it was built, all named":   {pair(0, 0, 0), []string{payer, maker}, "no signature at all"},
		"as it was built, for a maker": {pair(0, 2, 0), nil, payerDue},
		"a maker signs last":           {pair(1, 0, 0), []string{maker}, ""},
		"a maker that is not named":    {pair(1, 0, 0), nil, makerDue},
		"another maker":                {pair(1, 0, 0), []string{wiretest.Address(13)}, makerDue},
		"a sponsor signs last":         {pair(0, 2, 0), []string{payer}, ""},
		"of an unknown form":           {"AQID", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			refusal(t, check.Signed("tx", row.tx, row.late), row.problem)
			short, err := row.tx.Base58()
			require.NoError(t, err)
			refusal(t, check.Signed("tx", short, row.late), row.problem)
			err = check.EachSigned("tx", []walletfi.EncodedTransaction{pair(1, 2, 0), row.tx}, row.late)
			refusal(t, err, row.problem)
			if row.problem != "" {
				require.Equal(t, []string{"tx[1]"}, wiretest.Fields(err))
			}
		})
	}
	require.NoError(t, check.Signed("tx", nil, nil))
}

// TestLate: what the transaction of a Submitter may lack.
func TestLate(t *testing.T) {
	require.Equal(t, []string{maker}, check.Late(walletfi.Signed{Transaction: pair(1, 0, 0), Owner: payer}))
	require.Equal(t, []string{payer}, check.Late(walletfi.Signed{Transaction: pair(0, 1, 0), Owner: maker}))
	require.Equal(t, []string{payer, maker}, check.Late(walletfi.Signed{Transaction: pair(0, 1, 0)}))
	require.Empty(t, check.Late(walletfi.Signed{Transaction: "AQID"}))
}

func TestSignedSince(t *testing.T) {
	built := pair(0, 0, 0)
	for name, row := range map[string]struct {
		signed, built walletfi.EncodedTransaction
		owner         string
		problem       string
	}{
		"by the owner, who pays":              {pair(1, 0, 0), built, payer, ""},
		"by the owner, for whom another pays": {pair(0, 2, 0), built, maker, ""},
		"by both":                             {pair(1, 2, 0), built, payer, ""},
		"after a maker":                       {pair(1, 2, 0), pair(0, 2, 0), payer, ""},
		"by the maker alone":                  {pair(0, 2, 0), built, payer, "lacks the signature of the owner, " + payer},
		"by nobody":                           {built, built, payer, "lacks the signature of the owner"},
		"another message":                     {pair(1, 2, 9), built, payer, "another message was signed"},
		"an owner that is not known":          {pair(0, 2, 0), built, "", ""},
		"not known, nothing added":            {pair(0, 2, 0), pair(0, 2, 0), "", "without another signature"},
		"an owner without a slot":             {built, built, wiretest.Address(13), "without another signature"},
		"no transaction":                      {walletfi.Base64Transaction("AQID"), built, payer, "is not a well-formed transaction"},
		"none was built":                      {pair(1, 2, 0), walletfi.Base64Transaction("AQID"), payer, "cannot be compared"},
		"none at all":                         {nil, built, payer, "is not a well-formed transaction"},
	} {
		t.Run(name, func(t *testing.T) {
			refusal(t, check.SignedSince("tx", row.signed, row.built, row.owner), row.problem)
		})
	}
}
