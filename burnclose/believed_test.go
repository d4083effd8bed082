package burnclose_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestInstructionsAreWhole: each instruction is an object with its program, its accounts and its
// data, or a text that can hold these, and there is one at least, and none twice.
func TestInstructionsAreWhole(t *testing.T) {
	const program = `"programId":"TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"`
	meta := `{"pubkey":"` + wiretest.Address(1) + `","isSigner":true,"isWritable":false}`
	of := func(accounts string) string { return `{` + program + `,"accounts":` + accounts + `,"data":"CQ=="}` }
	whole := of(`[` + meta + `]`)
	text := `"` + wiretest.Address(1) + wiretest.Address(2) + `"`
	for list, want := range map[string]error{
		`[` + whole + `]`: nil, `[` + of(`[]`) + `]`: nil, `[` + text + `]`: nil, `[` + whole + `,` + of(`[]`) + `]`: nil,
		`[]`: walletfi.ErrDecode, `[null]`: walletfi.ErrDecode, `["x"]`: walletfi.ErrDecode, `[[]]`: walletfi.ErrDecode,
		`[5]`: walletfi.ErrDecode, `[{}]`: walletfi.ErrDecode, `[` + whole + `,null]`: walletfi.ErrDecode,
		`[` + of(`[null]`) + `]`: walletfi.ErrDecode, `[` + of(`[{}]`) + `]`: walletfi.ErrDecode,
		`[` + of(`["x"]`) + `]`: walletfi.ErrDecode, `[` + of(`[[]]`) + `]`: walletfi.ErrDecode,
		`[` + of(`[5]`) + `]`: walletfi.ErrDecode, `[` + of(`{}`) + `]`: walletfi.ErrDecode,
		`[` + whole + `,` + whole + `]`: walletfi.ErrDecode,
	} {
		c := client(t, answering(t, `{"instructions":`+list+`}`).URL)
		burned, err := c.BuildBurnInstructions(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset})
		require.ErrorIs(t, err, want, list)
		require.Equal(t, want == nil, burned != nil && len(burned.Instructions) > 0, list)
		_, err = c.BuildCloseInstructions(t.Context(), burnclose.CloseRequest{Owner: owner, AssetID: asset})
		require.ErrorIs(t, err, want, list)
		c = client(t, answering(t, `{"instructions":[{"account":"A1","instructions":`+list+`}]}`).URL)
		_, err = c.BuildCloseAllInstructions(t.Context(), burnclose.CloseAllRequest{Owner: owner})
		require.ErrorIs(t, err, want, list)
	}
}

// TestReclaimedAgrees: an amount that is there is one, and that in SOL is the one in lamports.
func TestReclaimedAgrees(t *testing.T) {
	for said, want := range map[string]error{
		`"lamportsReclaimed":2039280,"solReclaimed":0.00203928`:            nil,
		`"lamportsReclaimed":2039280,"solReclaimed":"0.002039280"`:         nil,
		`"lamportsReclaimed":2039280,"solReclaimed":2.03928e-3`:            nil,
		`"lamportsReclaimed":2039280,"solReclaimed":0.0020392800000000003`: nil,
		`"lamportsReclaimed":2039280,"solReclaimed":0.00204`:               nil, // rounded
		`"lamportsReclaimed":2039280,"solReclaimed":0.00203`:               nil, // cut
		`"lamportsReclaimed":0,"solReclaimed":0`:                           nil,
		`"lamportsReclaimed":1,"solReclaimed":null`:                        nil,
		`"solReclaimed":0.1`:                                 nil,
		`"operationType":"burn"`:                             nil,
		`"lamportsReclaimed":1,"solReclaimed":0.00203928`:    walletfi.ErrDecode,
		`"lamportsReclaimed":2039280,"solReclaimed":0`:       walletfi.ErrDecode,
		`"lamportsReclaimed":0,"solReclaimed":0.00203928`:    walletfi.ErrDecode,
		`"lamportsReclaimed":2039280,"solReclaimed":1`:       walletfi.ErrDecode,
		`"lamportsReclaimed":2039280,"solReclaimed":0.00205`: walletfi.ErrDecode,
		`"solReclaimed":-1`:                                  walletfi.ErrDecode,
		`"solReclaimed":"six"`:                               walletfi.ErrDecode,
		`"solReclaimed":"NaN"`:                               walletfi.ErrDecode,
		`"solReclaimed":""`:                                  walletfi.ErrDecode,
		`"solReclaimed":{}`:                                  walletfi.ErrDecode,
		`"totals":{"lamports":1,"sol":2}`:                    walletfi.ErrDecode,
		`"lamportsReclaimed":"six"`:                          walletfi.ErrDecode,
	} {
		c := client(t, answering(t, `{"serializedTransaction":"Ldp","accountsClosed":1,"transactions":["Ldp"],`+said+`}`).URL)
		burn, closing, all := burnclose.BurnRequest{Owner: owner, AssetID: asset},
			burnclose.CloseRequest{Owner: owner, AssetID: asset}, burnclose.CloseAllRequest{Owner: owner}
		var errs [7]error
		_, errs[0] = c.BuildBurn(t.Context(), burn)
		_, errs[1] = c.BuildClose(t.Context(), closing)
		_, errs[2] = c.BuildCloseAll(t.Context(), all)
		_, errs[3] = c.PreviewBurn(t.Context(), burn)
		_, errs[4] = c.PreviewClose(t.Context(), closing)
		_, errs[5] = c.PreviewCloseAll(t.Context(), all)
		_, errs[6] = c.SummarizeCloseAll(t.Context(), all)
		for i, err := range errs {
			require.ErrorIs(t, err, want, "%d %s", i, said)
		}
	}
}

// TestAPreviewSaysSomething: the shape of a preview is not documented, and an answer without any
// member is none.
func TestAPreviewSaysSomething(t *testing.T) {
	for answer, want := range map[string]error{
		`{"fees":{"x":1}}`: nil, `{"count":0}`: nil, `{"accounts":[]}`: nil, `{"data":{"x":1}}`: nil,
		`null`: walletfi.ErrDecode, `{}`: walletfi.ErrDecode, `[]`: walletfi.ErrDecode, `"x"`: walletfi.ErrDecode,
		`{"data":null}`: walletfi.ErrDecode, `{"data":{}}`: walletfi.ErrDecode, `{"success":true}`: walletfi.ErrDecode,
	} {
		c := client(t, answering(t, answer).URL)
		_, burn := c.PreviewBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset})
		_, closing := c.PreviewClose(t.Context(), burnclose.CloseRequest{Owner: owner, AssetID: asset})
		_, all := c.PreviewCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner})
		_, sum := c.SummarizeCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner})
		for _, err := range []error{burn, closing, all, sum} {
			require.ErrorIs(t, err, want, answer)
		}
	}
}

// TestCloseAllAgrees: what is closed, and what is reclaimed, fits the transactions.
func TestCloseAllAgrees(t *testing.T) {
	for answer, want := range map[string]error{
		`{"transactions":[],"accountsClosed":0}`:                               nil,
		`{"transactions":[],"accountsClosed":0,"totalLamportsReclaimed":0}`:    nil,
		`{"transactions":["Ldp"],"accountsClosed":64}`:                         nil,
		`{"transactions":["Ldp","Ldq"],"accountsClosed":2}`:                    nil,
		`{"transactions":[],"accountsClosed":1}`:                               walletfi.ErrDecode,
		`{"transactions":[],"accountsClosed":0,"totalLamportsReclaimed":5}`:    walletfi.ErrDecode,
		`{"transactions":[],"accountsClosed":0,"totalSolReclaimed":"0.1"}`:     walletfi.ErrDecode,
		`{"transactions":["Ldp"],"accountsClosed":0}`:                          walletfi.ErrDecode,
		`{"transactions":["Ldp"],"accountsClosed":65}`:                         walletfi.ErrDecode,
		`{"transactions":["Ldp","Ldq"],"accountsClosed":1}`:                    walletfi.ErrDecode,
		`{"transactions":["Ldp"],"accountsClosed":1,"totalSolReclaimed":"-1"}`: walletfi.ErrDecode,
	} {
		_, err := client(t, answering(t, answer).URL).BuildCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner})
		require.ErrorIs(t, err, want, answer)
	}
}

// TestCloseAllGroupsAgree: an account is closed once, and without any nothing is reclaimed.
func TestCloseAllGroupsAgree(t *testing.T) {
	group := func(account string) string {
		return `{"account":"` + account + `","instructions":[{"programId":"` + wiretest.Address(1) + `","accounts":[],"data":"09"}]}`
	}
	for answer, want := range map[string]error{
		`{"instructions":[]}`: nil,
		`{"instructions":[` + group("A1") + `,` + group("A2") + `]}`: nil,
		`{"instructions":[],"totalLamportsReclaimed":5}`:             walletfi.ErrDecode,
		`{"instructions":[` + group("A1") + `,` + group("A1") + `]}`: walletfi.ErrDecode,
		`[` + group("") + `,` + group("") + `]`:                      walletfi.ErrDecode,
		`{"instructions":[` + group("A1") + `,null]}`:                walletfi.ErrDecode,
		`{"instructions":[{"account":"A1","instructions":[]}]}`:      walletfi.ErrDecode,
		`{"instructions":[{"account":"A1","instructions":["x"]}]}`:   walletfi.ErrDecode,
	} {
		c := client(t, answering(t, answer).URL)
		_, err := c.BuildCloseAllInstructions(t.Context(), burnclose.CloseAllRequest{Owner: owner})
		require.ErrorIs(t, err, want, answer)
	}
}

// TestConfirmationOfNoSlot: garbage in place of a slot, or of a flag, confirms nothing.
func TestConfirmationOfNoSlot(t *testing.T) {
	for said, isConfirmed := range map[string]bool{
		`"confirmed":true,"slot":5`: true, `"confirmed":true,"slot":"5"`: true, `"confirmed":true`: true,
		`"confirmed":true,"slot":"six"`: false, `"confirmed":true,"slot":-1`: false, `"confirmed":true,"slot":6.5`: false,
		`"confirmed":"yes","slot":5`: false, `"confirmed":1,"slot":5`: false, `"confirmed":[],"slot":5`: false,
	} {
		var result burnclose.SendResult
		answer := `{"signature":"` + wiretest.Signature(7) + `","sent":true,"confirmation":{"err":null,` + said + `}}`
		require.NoError(t, json.Unmarshal([]byte(answer), &result), said)
		require.Equal(t, isConfirmed, result.Confirmation.Confirmed(walletfi.CommitmentConfirmed), said)
	}
}
