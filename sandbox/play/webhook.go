package play

// EVMTransaction is a transaction of a made-up EVM chain, with the field names
// of the delivery's payload. Empty fields get defaults.
type EVMTransaction struct {
	Hash     string   `json:"hash"` // 32 bytes, hex
	From     string   `json:"from"`
	To       string   `json:"to"`
	Value    string   `json:"value"`    // wei; "0" if empty
	Gas      string   `json:"gas"`      // "21000" if empty
	GasPrice string   `json:"gasPrice"` // wei; "1000000000" if empty
	Input    string   `json:"input"`    // hex; "0x" if empty
	Nonce    uint64   `json:"nonce"`
	Logs     []EVMLog `json:"logs"`
}

// EVMLog is an event that a contract emitted.
type EVMLog struct {
	// Event is the signature, such as "Transfer(address,address,uint256)". Its
	// hash goes before Topics. Empty if Topics are complete.
	Event    string   `json:"-"`
	Address  string   `json:"address"`
	Topics   []string `json:"topics"`
	Data     string   `json:"data"` // hex; "0x" if empty
	LogIndex int      `json:"logIndex"`
}

// UTXOTransaction is a transaction of a made-up chain of unspent outputs.
type UTXOTransaction struct {
	TxID    string       `json:"txid"` // filled in if empty
	Inputs  []UTXOAmount `json:"vin"`
	Outputs []UTXOAmount `json:"vout"`
}

// UTXOAmount is an input or an output.
type UTXOAmount struct {
	Address string `json:"address"`
	Value   uint64 `json:"value"` // smallest units
}
