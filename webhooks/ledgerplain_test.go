package webhooks

import (
	"encoding/json"
	"fmt"
	"strings"
)

// plainLedger and those below are the ledger chain's payload in plain structs, as one
// would write them for encoding/json.
type plainLedger struct {
	WebhookID    string                   `json:"webhookId"`
	Network      string                   `json:"network"`
	Timestamp    int64                    `json:"timestamp"`
	Slot         uint64                   `json:"slot"`
	Transactions []plainLedgerTransaction `json:"transactions"`
}

type plainLedgerTransaction struct {
	Signature string `json:"signature"`
	Meta      struct {
		Fee          uint64          `json:"fee"`
		PreBalances  []uint64        `json:"preBalances"`
		PostBalances []uint64        `json:"postBalances"`
		Err          json.RawMessage `json:"err"`
	} `json:"meta"`
	Transaction struct {
		Message struct {
			AccountKeys  []string `json:"accountKeys"`
			Instructions []struct {
				ProgramIDIndex int    `json:"programIdIndex"`
				Accounts       []int  `json:"accounts"`
				Data           string `json:"data"`
			} `json:"instructions"`
		} `json:"message"`
		Signatures []string `json:"signatures"`
	} `json:"transaction"`
}

// ledgerBody is a payload of so many transactions: transfers and swaps, of which every
// seventh failed.
func ledgerBody(transactions int) []byte {
	var b strings.Builder
	b.WriteString(`{"webhookId":"wh_4f1e2c0a9b8d7c6e","network":"SOLANA_MAINNET","timestamp":1767225600,"slot":310000001,"transactions":[`)
	for i := range transactions {
		if i > 0 {
			b.WriteByte(',')
		}
		keys, before, after := make([]string, 4+i%12), make([]string, 4+i%12), make([]string, 4+i%12)
		for k := range keys {
			keys[k] = `"` + hexOf(22, i+k)[2:] + `"`
			before[k], after[k] = fmt.Sprint(2_039_280+i*k*1_000_003), fmt.Sprint(2_039_280+i*k*1_000_000)
		}
		instructions := make([]string, 1+i%4)
		for n := range instructions {
			instructions[n] = fmt.Sprintf(`{"programIdIndex":%d,"accounts":[0,%d,%d,2],"data":"%s"}`, n, n%4, i%4, hexOf(12, n)[2:])
		}
		failed := "null"
		if i%7 == 6 {
			failed = `{"InstructionError":[0,{"Custom":6001}]}`
		}
		fmt.Fprintf(&b, `{"signature":"%s","meta":{"fee":5000,"preBalances":[%s],"postBalances":[%s],"err":%s},"transaction":{"message":{"accountKeys":[%s],"instructions":[%s]},"signatures":["%s"]}}`,
			hexOf(44, i)[2:], strings.Join(before, ","), strings.Join(after, ","), failed, strings.Join(keys, ","), strings.Join(instructions, ","), hexOf(44, i)[2:])
	}
	b.WriteString("]}")
	return []byte(b.String())
}
