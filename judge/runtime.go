package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/walletfi/walletfi-go/sandbox"
)

// account has all that a ledger holds under an address. The zero value is none.
type account struct {
	Key      string `json:"key"`
	Lamports uint64 `json:"lamports,string"`
	Owner    string `json:"owner"`
	Data     []byte `json:"data"`

	Executable bool `json:"executable,omitempty"`
}

// verdict has what a ledger says of a transaction.
type verdict struct {
	Landed   bool            `json:"landed"` // executed, if without success
	Error    json.RawMessage `json:"error"`  // in the form of the node's JSON, null if it succeeded
	Logs     []string        `json:"logs"`
	Units    uint64          `json:"units"`
	Accounts []*account      `json:"accounts"`
}

func (v verdict) err() string {
	if len(v.Error) == 0 {
		return "null"
	}
	return string(v.Error)
}

// errGone says that the runtime's process ended, as it does on bytes that are no transaction.
var errGone = errors.New("the runtime's process ended")

// runtime is LiteSVM in a process of its own.
type runtime struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startRuntime(folder string) (*runtime, error) {
	c := exec.Command("node", "runtime.mjs")
	c.Dir = folder
	if os.Getenv("JUDGE_STDERR") != "" {
		c.Stderr = os.Stderr
	}
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("node does not start: %w", err)
	}
	return &runtime{c, in, bufio.NewReaderSize(out, 1<<20)}, nil
}

// ask sends one request and reads its answer.
func (r *runtime) ask(request map[string]any, answer any) error {
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	if _, err := r.in.Write(append(line, '\n')); err != nil {
		return errGone
	}
	line, err = r.out.ReadBytes('\n')
	if err != nil {
		return errGone
	}
	var failure struct{ Broken string }
	if err := json.Unmarshal(line, &failure); err != nil {
		return fmt.Errorf("the runtime's answer: %w", err)
	}
	if failure.Broken != "" {
		return fmt.Errorf("the runtime's program failed: %s", failure.Broken)
	}
	return json.Unmarshal(line, answer)
}

func (r *runtime) close() {
	r.in.Close()
	_ = r.command.Process.Kill() // it has nothing left to write, and node may hang at its end
	_ = r.command.Wait()
}

// clock tells the runtime the sandbox's time. The 512 slots before it have hashes.
func (r *runtime) clock(op string, box *sandbox.Sandbox, blockhash string) error {
	slot := box.Ledger().Slot()
	slots := make([]uint64, 512)
	for n := range slots {
		slots[n] = slot - 1 - uint64(n)
	}
	return r.ask(map[string]any{
		"op": op, "slot": slot, "epoch": slot / 432_000, "unix": box.Now().Unix(),
		"blockhash": blockhash, "slotHashes": slots,
	}, &struct{}{})
}

// slotTime is how long a slot of the sandbox takes.
const slotTime = 400 * time.Millisecond
