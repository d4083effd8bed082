package webhooks

import "github.com/walletfi/walletfi-go/internal/jsonscan"

// scanEVM reads an EVM chain's payload by hand. It declines, by false, whatever
// the service does not send as a rule; what it takes it reads as
// encoding/json does.
func scanEVM(body []byte, p *EVMPayload) bool {
	ok := jsonscan.Scan(body, func(s *jsonscan.Scanner) {
		r := evmReader{Scanner: s}
		r.payload(p)
	})
	return ok && (p.BlockHash != "" || p.BlockNumber != 0)
}

// evmReader has room for the many short lists.
type evmReader struct {
	*jsonscan.Scanner
	topics jsonscan.Slab[string]
	logs   jsonscan.Slab[EVMLog]
}

func (r *evmReader) payload(p *EVMPayload) {
	for more := r.Open('{'); more; more = r.Next('{') {
		switch name := r.Key(); name {
		case "webhookId":
			r.String(&p.WebhookID)
		case "network":
			r.String(&p.Network)
		case "timestamp":
			r.timestamp(p)
		case "blockNumber":
			r.number(&p.BlockNumber)
		case "blockHash":
			r.String(&p.BlockHash)
		case "transactions":
			r.transactions(&p.Transactions)
		default:
			// What has a slot is the ledger chain's.
			r.Other(name, "webhookId", "network", "timestamp", "blockNumber", "blockHash", "transactions", "slot")
		}
	}
}

func (r *evmReader) timestamp(p *EVMPayload) {
	if !p.Timestamp.IsZero() {
		r.Fail()
	}
	if r.Null() {
		return
	}
	if token := r.Scalar(); token == "" || p.Timestamp.UnmarshalJSON([]byte(token)) != nil {
		r.Fail()
	}
}

func (r *evmReader) transactions(into *[]EVMTransaction) {
	if *into != nil {
		r.Fail()
	}
	if r.Null() {
		return
	}
	list := []EVMTransaction{}
	for more := r.Open('['); more; more = r.Next('[') {
		if cap(list) == 0 {
			list = make([]EVMTransaction, 0, 64)
		}
		list = append(list, EVMTransaction{})
		r.transaction(&list[len(list)-1])
	}
	*into = list
}

func (r *evmReader) transaction(t *EVMTransaction) {
	if r.Null() {
		return
	}
	for more := r.Open('{'); more; more = r.Next('{') {
		switch name := r.Key(); name {
		case "hash":
			r.String(&t.Hash)
		case "from":
			r.String(&t.From)
		case "to":
			r.String(&t.To)
		case "value":
			r.quantity(&t.Value)
		case "gas":
			r.quantity(&t.Gas)
		case "gasPrice":
			r.quantity(&t.GasPrice)
		case "input":
			r.String(&t.Input)
		case "nonce":
			r.number(&t.Nonce)
		case "logs":
			r.logList(&t.Logs)
		default:
			r.Other(name, "hash", "from", "to", "value", "gas", "gasPrice", "input", "nonce", "logs")
		}
	}
}

func (r *evmReader) logList(into *[]EVMLog) {
	if *into != nil {
		r.Fail()
	}
	if r.Null() {
		return
	}
	list := r.logs.Begin()
	for more := r.Open('['); more; more = r.Next('[') {
		list = r.logs.Extend(list)
		r.log(&list[len(list)-1])
	}
	*into = r.logs.End(list)
}

func (r *evmReader) log(l *EVMLog) {
	if r.Null() {
		return
	}
	for more := r.Open('{'); more; more = r.Next('{') {
		switch name := r.Key(); name {
		case "address":
			r.String(&l.Address)
		case "topics":
			r.topicList(&l.Topics)
		case "data":
			r.String(&l.Data)
		case "logIndex":
			r.number(&l.LogIndex)
		default:
			r.Other(name, "address", "topics", "data", "logIndex")
		}
	}
}

func (r *evmReader) topicList(into *[]string) {
	if *into != nil {
		r.Fail()
	}
	if r.Null() {
		return
	}
	list := r.topics.Begin()
	for more := r.Open('['); more; more = r.Next('[') {
		list = r.topics.Extend(list)
		r.String(&list[len(list)-1])
	}
	*into = r.topics.End(list)
}

// quantity reads a text or a number as text.
func (r *evmReader) quantity(into *Quantity) {
	if *into != "" {
		r.Fail()
	}
	if !r.Null() {
		*into = Quantity(unquoted(r.Scalar()))
	}
}

// number reads an integer in any of its forms.
func (r *evmReader) number(into *Number) {
	if *into != 0 {
		r.Fail()
	}
	if r.Null() {
		return
	}
	text := unquoted(r.Scalar())
	if text == "" {
		return
	}
	n, err := parseNumber(text)
	if err != nil {
		r.Fail()
	}
	*into = n
}

// unquoted takes the quotes off a text without escapes.
func unquoted(token string) string {
	if len(token) >= 2 && token[0] == '"' {
		return token[1 : len(token)-1]
	}
	return token
}
