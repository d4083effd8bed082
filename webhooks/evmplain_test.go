package webhooks

import (
	"fmt"
	"strings"
)

// plainPayload and those below are what the benchmark measures against: the
// same payload in plain structs, as one would write them for encoding/json.
type plainPayload struct {
	WebhookID    string             `json:"webhookId"`
	Network      string             `json:"network"`
	Timestamp    int64              `json:"timestamp"`
	BlockNumber  uint64             `json:"blockNumber"`
	BlockHash    string             `json:"blockHash"`
	Transactions []plainTransaction `json:"transactions"`
}

type plainTransaction struct {
	Hash     string     `json:"hash"`
	From     string     `json:"from"`
	To       string     `json:"to"`
	Value    string     `json:"value"`
	Gas      string     `json:"gas"`
	GasPrice string     `json:"gasPrice"`
	Input    string     `json:"input"`
	Nonce    uint64     `json:"nonce"`
	Logs     []plainLog `json:"logs"`
}

type plainLog struct {
	Address  string   `json:"address"`
	Topics   []string `json:"topics"`
	Data     string   `json:"data"`
	LogIndex uint64   `json:"logIndex"`
}

// evmBody is a payload of so many transactions: token transfers and swaps, with
// as much input and as many logs as such have.
func evmBody(transactions int) []byte {
	var b strings.Builder
	b.WriteString(`{"webhookId":"wh_4f1e2c0a9b8d7c6e","network":"ETH_MAINNET","timestamp":1767225600,"blockNumber":21000001,"blockHash":"` + hexOf(32, 1) + `","transactions":[`)
	logs := 0
	for i := range transactions {
		if i > 0 {
			b.WriteByte(',')
		}
		words := 2 + 5*(i%3)
		fmt.Fprintf(&b, `{"hash":"%s","from":"%s","to":"%s","value":"%d000000000000","gas":"%d","gasPrice":"%d","input":"0xa9059cbb%s","nonce":%d,"logs":[`,
			hexOf(32, i+2), hexOf(20, i), hexOf(20, i+7), i*982_451, 21_000+i*317, 1_000_000_000+i, strings.Repeat(hexOf(32, i)[2:], words), i*31)
		for l := range 1 + i%3 {
			if l > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"address":"%s","topics":["%s","%s","%s"],"data":"%s","logIndex":%d}`,
				hexOf(20, l), hexOf(32, l), hexOf(32, i), hexOf(32, i+l), hexOf(32, i*l), logs)
			logs++
		}
		b.WriteString("]}")
	}
	b.WriteString("]}")
	return []byte(b.String())
}

// hexOf makes up n bytes.
func hexOf(n, seed int) string {
	text := fmt.Sprintf("%016x", uint64(seed+1)*0x9e3779b97f4a7c15)
	return "0x" + strings.Repeat(text, n/8+1)[:2*n]
}
