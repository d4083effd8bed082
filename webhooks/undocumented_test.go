package webhooks_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

const otherKey = `"So11111111111111111111111111111111111111112"`

// TestUndocumentedFailure: a transaction of the ledger chain whose err is null did not succeed if
// anything else says that it failed.
func TestUndocumentedFailure(t *testing.T) {
	const failed = "Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA failed: custom program error: 0x1"
	rows := map[string]struct{ meta, beyond string }{
		"status of the meta":    {`,"status":{"Err":{"InstructionError":[0,{"Custom":1}]}}`, ``},
		"status of a text":      {`,"status":{"Err":"AccountInUse"}`, ``},
		"status in any case":    {`,"Status":{"err":"x"}`, ``},
		"a word":                {`,"status":"FAILED"`, ``},
		"a short word":          {`,"status":"Err"`, ``},
		"a list of words":       {`,"status":["Err",5]`, ``},
		"another spelling":      {`,"Err":{"InstructionError":[0,"x"]}`, ``},
		"an error of the meta":  {`,"error":"insufficient funds"`, ``},
		"a message":             {`,"error_message":"x"`, ``},
		"a log":                 {`,"logMessages":["Program log: a","` + failed + `"]`, ``},
		"a log, first":          {`,"log_messages":[ "` + failed + `"]`, ``},
		"no success":            {`,"success":false`, ``},
		"err above":             {``, `,"err":{"InstructionError":[0,"x"]}`},
		"an error above":        {``, `,"transactionError":{"InstructionError":[0,"x"]}`},
		"an error, spelt apart": {``, `,"transaction_error":"x"`},
		"no success above":      {``, `,"success":"false"`},
		"a status above":        {``, `,"status":"reverted"`},
		"failed above":          {``, `,"failed":true`},
		"an escaped name":       {``, `,"f\u0061iled":true`},
		"removed":               {``, `,"removed":true`},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			d := webhooks.ParseDelivery([]byte(attackedTx(attackedShort, row.meta, "0,1", "", row.beyond)))
			require.NotNil(t, d.Ledger)
			require.True(t, d.Ledger.Transactions[0].Meta.Failed())
			require.NotEmpty(t, d.Ledger.Transactions[0].Raw)
			require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
			require.ErrorContains(t, d.DecodeErr, "LedgerMeta.err decides, and is contradicted")
		})
	}
	for _, fine := range []struct{ meta, beyond string }{
		{`,"status":{"Ok":null}`, `,"success":true,"error":null,"transactionError":null`},
		{`,"status":"transferred","logMessages":["Program log: \"Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA failed: x","Program log: it failed: x"]`, `,"status":1`},
		{`,"logMessages":null,"error":""`, `,"failed":false,"errors":[],"removed":false,"version":0,"confirmationStatus":"finalized"`},
		{`,"innerInstructions":[],"computeUnitsConsumed":5`, `,"events":[{"error":"x","status":"failed"}]`},
	} {
		d := webhooks.ParseDelivery([]byte(attackedTx(attackedShort, fine.meta, "0,1", "", fine.beyond)))
		require.NoError(t, d.DecodeErr, "%v", fine)
		require.False(t, d.Ledger.Transactions[0].Meta.Failed(), "%v", fine)
	}
	known := strings.Replace(attackedTx(attackedShort, `,"status":{"Err":"x"}`, "0,1", "", ""), `"err":null`, `"err":"x"`, 1)
	d := webhooks.ParseDelivery([]byte(known))
	require.NoError(t, d.DecodeErr, "both say that it failed")
	require.True(t, d.Ledger.Transactions[0].Meta.Failed())
}

// TestUndocumentedEVMFailure: neither a transaction that failed nor one that was undone reads as
// good.
func TestUndocumentedEVMFailure(t *testing.T) {
	for _, more := range []string{
		`"status":"0x0"`, `"status":"0x00"`, `"status":0`, `"status":"0"`, `"status":false`, `"status":"failed"`, `"status":"Reverted"`, `"receipt":{"status":"0x0"}`,
		`"receiptStatus":"0"`, `"txreceipt_status":"0"`, `"isError":"1"`, `"revertReason":"x"`, `"error":"execution reverted"`, `"success":false`, `"removed":true`, `"Status":"0x0"`,
	} {
		body := head + evmBlock + evmTx(`"hash"`, more+`,"hash"`) + `]}`
		d := webhooks.ParseDelivery([]byte(body))
		require.NotNil(t, d.EVM, more)
		tx := d.EVM.Transactions[0]
		require.True(t, tx.Failed(), more)
		require.NotEmpty(t, tx.Raw, more)
		require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode, more)
		require.ErrorContains(t, d.DecodeErr, "EVMTransaction.status decides, and is a failure", more)

		stored, err := json.Marshal(tx)
		require.NoError(t, err)
		var back webhooks.EVMTransaction
		require.NoError(t, json.Unmarshal(stored, &back))
		require.True(t, back.Failed(), "what was stored says so too: %s", stored)

		lenient, err := webhooks.NewDeliveryReader(*verifier(), nil, "EVMTransaction.status")
		require.NoError(t, err)
		req := signer.Request(destination, []byte(body))
		d, err = lenient.Read(req.Header, req.Body)
		require.NoError(t, err)
		require.NoError(t, d.DecodeErr, more)
		require.True(t, d.EVM.Transactions[0].Failed(), more)
	}
	for _, fine := range []string{
		`"status":"0x1"`, `"status":1`, `"status":true`, `"status":null`, `"status":"success"`, `"type":"0x2","receipt":{"status":"0x1"},"isError":"0","removed":false`,
		`"decoded":{"status":0,"error":"x"},"revertReason":"0x"`,
	} {
		d := webhooks.ParseDelivery([]byte(head + evmBlock + evmTx(`"hash"`, fine+`,"hash"`) + `]}`))
		require.NoError(t, d.DecodeErr, fine)
		require.Len(t, d.EVM.Transactions, 1)
		require.False(t, d.EVM.Transactions[0].Failed(), fine)
	}

	for _, early := range []string{`176`, `-1`, `"1970-01-02"`} {
		for _, body := range []string{head + evmBlock + evmTx() + `]}`, head + evmBlock + evmTx(`"value":"1",`, ``) + `]}`, head + `"blockHeight":7}`} {
			d := webhooks.ParseDelivery([]byte(strings.Replace(body, `1767225600`, early, 1)))
			require.True(t, d.Timestamp.IsZero(), "no chain is so old, whatever else is off: %s", d.Raw)
		}
	}
	for removed, bad := range map[string]bool{`true`: true, `"true"`: true, `1`: true, `false`: false, `null`: false, `"false"`: false} {
		for _, body := range []string{head + `"removed":` + removed + `,` + evmBlock + evmTx() + `]}`, head + evmBlock + evmTx() + `],"removed":` + removed + `}`} {
			d := webhooks.ParseDelivery([]byte(body))
			require.Len(t, d.EVM.Transactions, 1)
			require.Equal(t, bad, errors.Is(d.DecodeErr, walletfi.ErrDecode), body)
		}
	}

	topic := `"0x0000000000000000000000000000000000000000000000000000000000000001"`
	five := strings.Repeat(topic+",", 4) + topic
	for member, is := range map[string][2]string{
		"EVMLog.removed": {`"logIndex":0`, `"logIndex":0,"removed":true`}, "EVMLog.topics": {`[` + topic + `]`, `[` + five + `]`},
		"EVMTransaction.value": {`"value":"1"`, `"value":"0x1` + strings.Repeat("0", 64) + `"`},
	} {
		tx := evmTx(is[0], is[1])
		require.NotEqual(t, evmTx(), tx, member)
		d := webhooks.ParseDelivery([]byte(head + evmBlock + tx + `]}`))
		require.ErrorContains(t, d.DecodeErr, member+" decides", member)
		require.Len(t, transactionsOf(d), 1)
		require.Equal(t, member == "EVMLog.removed", d.EVM.Transactions[0].Logs[0].Removed != nil, member)
	}
	most := evmTx(`"value":"1"`, `"value":"0x`+strings.Repeat("f", 64)+`"`, `[`+topic+`]`, `[`+strings.TrimSuffix(five, ","+topic)+`]`, `"logIndex":0`, `"logIndex":0,"removed":false`)
	require.NoError(t, webhooks.ParseDelivery([]byte(head+evmBlock+most+`]}`)).DecodeErr)
}

// TestAttackedKeys: an account is in a transaction once, and what has balances or instructions has
// accounts.
func TestAttackedKeys(t *testing.T) {
	const keys = `"accountKeys":`
	body := func(is, balances, meta, instructions string) string {
		tx := strings.Replace(attackedTx(balances, meta, "0", "", ""), attackedKeys, keys+is, 1)
		at, to := strings.Index(tx, `"instructions":[`), strings.Index(tx, `},"signatures"`)
		return tx[:at] + `"instructions":[` + instructions + `]` + tx[to:]
	}
	const none, first = `"preBalances":[],"postBalances":[]`, `{"programIdIndex":0,"accounts":[0],"data":""}`
	key := `"7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"`
	many := func(n int, last string) string {
		var all []string
		for i := range n {
			all = append(all, `"`+strings.Repeat(string("ABCDEFGHJK"[i%10]), 1+i/10)+strings.Repeat("z", 39-i/10)+`"`)
		}
		return `[` + strings.Join(append(all, last), ",") + `]`
	}
	of := func(n int) string { return strings.TrimSuffix(strings.Repeat("1,", n), ",") }
	balances := func(n int) string { return `"preBalances":[` + of(n) + `],"postBalances":[` + of(n) + `]` }
	for name, row := range map[string]struct{ body, wrong string }{
		"none, and nothing":          {body(`[]`, none, ``, ``), ``},
		"none, and an instruction":   {body(`[]`, none, ``, first), `LedgerMessage.accountKeys`},
		"none, and balances":         {body(`[]`, `"preBalances":[1],"postBalances":[1]`, ``, ``), `LedgerMessage.accountKeys`},
		"none but what is loaded":    {body(`[]`, `"preBalances":[1],"postBalances":[1]`, attackedLoaded(key, ``), ``), `LedgerMessage.accountKeys`},
		"one twice":                  {body(`[`+key+`,`+key+`]`, balances(2), ``, first), `LedgerMessage.accountKeys`},
		"one of many twice":          {body(many(30, `"Azzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"`), balances(31), ``, first), `LedgerMessage.accountKeys`},
		"many":                       {body(many(30, key), balances(31), ``, first), ``},
		"one that is loaded too":     {body(`[`+key+`]`, balances(2), attackedLoaded(key, ``), first), `LedgerMessage.accountKeys`},
		"one that is loaded twice":   {body(`[`+key+`]`, balances(3), attackedLoaded(otherKey, otherKey), first), `LedgerMessage.accountKeys`},
		"another one is loaded":      {body(`[`+key+`]`, balances(2), attackedLoaded(otherKey, ``), first), ``},
		"an index beyond all loaded": {body(`[`+key+`]`, balances(1), `,"loaded_addresses":0`, strings.Replace(first, `[0]`, `[200]`, 1)), `LedgerInstruction.accounts`},
	} {
		t.Run(name, func(t *testing.T) {
			d := webhooks.ParseDelivery([]byte(row.body))
			require.Len(t, transactionsOf(d), 1, row.body)
			if row.wrong == "" {
				require.NoError(t, d.DecodeErr)
				return
			}
			require.ErrorIs(t, d.DecodeErr, walletfi.ErrDecode)
			require.ErrorContains(t, d.DecodeErr, row.wrong+" decides")
			require.NotEmpty(t, d.Ledger.Transactions[0].Raw)
		})
	}
}

// TestOtherChains: a payload of another chain has blocks, slots and transactions too, and is no
// damaged one of these.
func TestOtherChains(t *testing.T) {
	const block = `"blockNumber":840000,"blockHash":"00000000000000000000aabb00000000000000000000000000000000000000cc"`
	for name, body := range map[string]string{
		"outputs":                  head + block + `,"transactions":[{"hash":"aa","vin":[{"txid":"bb","vout":0}],"vout":[{"value":0.1}]}]}`,
		"outputs and a value":      head + block + `,"transactions":[{"hash":"aa","value":"5","inputs":[],"outputs":[]}]}`,
		"outputs in a slot":        head + `"slot":7,` + block + `,"transactions":[{"hash":"aa","inputs":[],"outputs":[]}]}`,
		"outputs without a block":  head + `"transactions":[{"hash":"aa","vin":[],"vout":[]}]}`,
		"outputs with a meta":      head + `"transactions":[{"txid":"aa","meta":{"size":5}}]}`,
		"a call, decoded":          head + evmBlock + `{"hash":"0xaa","decoded":{"name":"transfer","params":{"to":"0xbb","value":"5"}}}]}`,
		"a call with its parties":  head + evmBlock + `{"hash":"0xaa","from":"0xbb","to":"0xcc","method":"transfer","args":["5"]}]}`,
		"events, decoded":          head + evmBlock + `{"event":"Transfer","address":"0xcc","args":{"value":"5"}}]}`,
		"several, none of a chain": head + evmBlock + `{"event":"a"},{"event":"b"}]}`,
	} {
		d := webhooks.ParseDelivery([]byte(body))
		require.NoError(t, d.DecodeErr, name)
		require.Nil(t, d.EVM, name)
		require.Nil(t, d.Ledger, name)
		require.Equal(t, []string{"wh_1", "n", body}, []string{d.WebhookID, d.Network, d.Raw.String()}, name)
		require.False(t, d.Timestamp.IsZero(), name)
	}
	in := webhooks.ParseDelivery([]byte(head + `"slot":7,` + evmBlock + evmTx() + `]}`))
	require.NoError(t, in.DecodeErr, "an EVM chain may count slots")
	require.Len(t, in.EVM.Transactions, 1)
	for name, body := range map[string]string{
		"one of two":   head + evmBlock + `{"event":"a"},` + evmTx() + `]}`,
		"no records":   head + evmBlock + `7,null]}`,
		"of no parts":  head + `"slot":1,"transactions":[` + ledgerTx(`"meta"`, `"x"`) + `]}`,
		"of few parts": head + evmBlock + evmTx(`"value":"1",`, ``) + `]}`,
	} {
		require.ErrorIs(t, webhooks.ParseDelivery([]byte(body)).DecodeErr, walletfi.ErrDecode, name)
	}
}
