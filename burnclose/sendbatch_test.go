package burnclose_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// manyTransactions are transactions with their signatures.
func manyTransactions(n int) (txs []walletfi.EncodedTransaction, signatures []string) {
	for i := range n {
		tx, sig := numbered(i)
		txs, signatures = append(txs, tx), append(signatures, sig)
	}
	return txs, signatures
}

// sentBatch is the batch of a request's body.
func sentBatch(t testing.TB, body string) []string {
	t.Helper()
	var sent struct {
		SignedTransactions []string `json:"signedTransactions"`
	}
	require.NoError(t, json.Unmarshal([]byte(body), &sent))
	return sent.SignedTransactions
}

// accepting answers a batch last transaction first, so that the order of the
// answer says nothing.
func accepting(t testing.TB, body string) string {
	var results []string
	for _, text := range sentBatch(t, body) {
		sig, ok := walletfi.TransactionSignature(walletfi.Base64Transaction(text))
		require.True(t, ok)
		results = append([]string{`{"signature":"` + sig + `","sent":true}`}, results...)
	}
	return `{"results":[` + strings.Join(results, ",") + `]}`
}

func TestSendBatchSplits(t *testing.T) {
	for _, row := range []struct {
		total int
		parts []int
	}{{1, []int{1}}, {128, []int{128}}, {129, []int{128, 1}}, {300, []int{128, 128, 44}}} {
		t.Run(fmt.Sprint(row.total), func(t *testing.T) {
			c, wire := replyingClient(t, once, func(n int, r wiretest.Request) answer {
				return answer{Status: 200, Body: accepting(t, r.Body)}
			})
			txs, signatures := manyTransactions(row.total)
			result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
			require.NoError(t, err)
			require.Len(t, wire.Seen, len(row.parts))
			at := 0
			for i, size := range row.parts {
				sent := sentBatch(t, wire.Seen[i].Body)
				require.Len(t, sent, size)
				require.Equal(t, txs[at].String(), sent[0])
				at += size
			}
			require.Len(t, result.Items, row.total)
			require.Len(t, result.Raw, len(row.parts))
			for i, item := range result.Items {
				require.Equal(t, signatures[i], item.Signature)
				require.True(t, item.Answered && item.Sent, i)
			}
		})
	}
}

func TestSendBatchKeepsWhatWasSent(t *testing.T) {
	c, wire := replyingClient(t, once, func(n int, r wiretest.Request) answer {
		if n == 2 {
			return answer{Status: 500, Body: `{"error":"down"}`}
		}
		return answer{Status: 200, Body: accepting(t, r.Body)}
	})
	txs, signatures := manyTransactions(300)
	result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
	partial := wiretest.As[*walletfi.PartialError](t, err)
	require.Equal(t, [3]int{172, 300, 128}, [3]int{partial.Done, partial.Total, partial.First})
	require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.Len(t, wire.Seen, 3, "one part's failure stops no other")
	for i, item := range result.Items {
		require.Equal(t, signatures[i], item.Signature)
		require.Equal(t, i < 128 || i >= 256, item.Answered, i)
	}
	require.Empty(t, result.Raw[1])
}

func TestSendBatchOfOnePartFails(t *testing.T) {
	c, wire := carriedClient(t, once, answer{Status: 400, Body: `{"error":"signedTransactions[1] is not signed"}`})
	txs, signatures := manyTransactions(2)
	result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
	require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	require.NotErrorIs(t, err, walletfi.ErrOutcomeUnknown)
	require.Len(t, wire.Seen, 1)
	require.Equal(t, []burnclose.BatchItem{{Signature: signatures[0]}, {Signature: signatures[1]}}, result.Items)
}

func TestBatchAnswerForms(t *testing.T) {
	txs, s := manyTransactions(3)
	// got writes an item as answered, sent, error.
	got := func(items []burnclose.BatchItem) string {
		var parts []string
		for _, i := range items {
			parts = append(parts, fmt.Sprintf("%t/%t/%s", i.Answered, i.Sent, i.Error))
		}
		return strings.Join(parts, " ")
	}
	const none, nothing = "false/false/", "false/false/the answer says nothing of the transaction"
	for name, row := range map[string]struct{ body, want string }{
		"signatures":               {`{"signatures":["` + s[2] + `","` + s[0] + `","` + s[1] + `"]}`, "true/true/ true/true/ true/true/"},
		"a bare list":              {`[{"signature":"` + s[1] + `"}]`, none + " true/true/ " + none},
		"by place":                 {`{"results":[{"sent":true},{"sent":false,"error":"x"},{"success":true}]}`, "true/true/ true/false/x true/true/"},
		"by index":                 {`{"results":[{"index":2,"error":{"message":"x"}}]}`, none + " " + none + " true/false/x"},
		"signature before place":   {`{"results":[{"error":"x"},{"signature":"` + s[0] + `"},{"error":"y"}]}`, "true/true/ " + none + " true/false/y"},
		"sent without a signature": {`{"results":[{"sent":true},null,{}]}`, "true/true/ " + nothing + " " + nothing},
		"said to be unsent":        {`{"transactions":[{"signature":"` + s[0] + `","sent":false,"error":{"code":5}}]}`, `true/false/{"code":5} ` + none + " " + none},
		"an error of nothing":      {`{"data":[{"signature":"` + s[0] + `","error":""},{"signature":"` + s[1] + `","error":false}]}`, "true/true/ true/true/ " + none},
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carriedClient(t, once, answer{Status: 200, Body: row.body})
			result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
			require.NoError(t, err)
			require.Equal(t, row.want, got(result.Items))
			for i, item := range result.Items {
				require.Equal(t, s[i], item.Signature)
			}
			require.Equal(t, row.body, result.Raw[0].String())
		})
	}
}

// TestBatchOfOthers: an answer of which no item can be that of a transaction of the
// call leaves the call in doubt; one that tells of some leaves the others in doubt.
func TestBatchOfOthers(t *testing.T) {
	txs, s := manyTransactions(3)
	for name, body := range map[string]string{
		"an index beyond":       `{"results":[{"index":3,"error":"x"}]}`,
		"fewer, without a name": `{"results":[{"sent":true}]}`,
		"another's signature":   `{"results":[{"signature":"` + wiretest.Signature(9) + `","index":0,"sent":true}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := carriedClient(t, once, answer{Status: 200, Body: body})
			result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown)
			require.ErrorIs(t, err, walletfi.ErrMismatch)
			require.Equal(t, []burnclose.BatchItem{{Signature: s[0]}, {Signature: s[1]}, {Signature: s[2]}}, result.Items)
		})
	}
	c, _ := carriedClient(t, once, answer{Status: 200, Body: `[{"signature":"` + wiretest.Signature(9) + `"},{"signature":"` + s[1] + `"}]`})
	result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
	require.NoError(t, err)
	require.True(t, result.Items[1].Answered && !result.Items[0].Answered && !result.Items[2].Answered)
}

// TestBatchItemThatSaysNothing: a record that says neither sent nor why not is no
// "not sent".
func TestBatchItemThatSaysNothing(t *testing.T) {
	txs, s := manyTransactions(2)
	for _, item := range []string{`{"index":1}`, `{"status":"queued"}`, `{"sent":"perhaps"}`, `{"sent":null,"signature":""}`} {
		c, _ := carriedClient(t, once, answer{Status: 200, Body: `{"results":[{"sent":true},` + item + `]}`})
		result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
		require.NoError(t, err, item)
		require.True(t, result.Items[0].Answered && result.Items[0].Sent, item)
		require.Equal(t, burnclose.BatchItem{Signature: s[1], Error: "the answer says nothing of the transaction"}, result.Items[1], item)

		c, _ = carriedClient(t, once, answer{Status: 200, Body: `{"results":[` + item + `]}`})
		_, err = c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs[:1]})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, item)
	}
}

// TestBatchWithoutAnswers: nothing is known of any transaction.
func TestBatchWithoutAnswers(t *testing.T) {
	txs := []walletfi.EncodedTransaction{signed(1), signed(2)}
	for _, body := range []string{``, `null`, `{}`, `[]`, `{"accepted":2}`, `{"results":[]}`, `{"success":false}`, `{"error":"upstream timed out"}`} {
		c, wire := carriedClient(t, once, answer{Status: 200, Body: body})
		result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, body)
		require.NotErrorIs(t, err, walletfi.ErrRejected, body)
		require.Len(t, wire.Seen, 1)
		require.Len(t, result.Items, 2)
		for _, item := range result.Items {
			require.False(t, item.Answered)
			require.NotEmpty(t, item.Signature)
		}
	}
}

// TestBatchAfterALostAttempt: what an attempt before may have sent is in doubt
// when the relay says that it did not send it.
func TestBatchAfterALostAttempt(t *testing.T) {
	body := `[{"sent":true},{"sent":false,"error":"This transaction has already been processed"}]`
	txs := []walletfi.EncodedTransaction{signed(1), signed(2)}
	for _, row := range []struct {
		answers  []answer
		answered bool
	}{
		{[]answer{{Status: 200, Body: body}}, true},
		{[]answer{{Status: 502}, {Status: 200, Body: body}}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			c, wire := carriedClient(t, walletfi.Options{}, row.answers...)
			result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: txs})
			require.NoError(t, err)
			require.Len(t, wire.Seen, len(row.answers))
			require.True(t, result.Items[0].Answered && result.Items[0].Sent)
			require.Equal(t, row.answered, result.Items[1].Answered)
			require.False(t, result.Items[1].Sent)
			if row.answered {
				require.Contains(t, result.Items[1].Error, "already been processed")
			}
		})
	}
}

// TestBatchSignaturesFromTheAnswer: a transaction that is not understood takes
// the signature that the answer gives it.
func TestBatchSignaturesFromTheAnswer(t *testing.T) {
	c, _ := carriedClient(t, once, answer{Status: 200, Body: `{"signatures":["S1"]}`})
	result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{
		Transactions: []walletfi.EncodedTransaction{walletfi.Base64Transaction("AQID")},
	})
	require.NoError(t, err)
	require.Equal(t, []burnclose.BatchItem{{Signature: "S1", Answered: true, Sent: true, Raw: walletfi.Document(`"S1"`)}}, result.Items)
}
