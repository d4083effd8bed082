package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/walletfi/walletfi-go/bench/internal/rows"
)

// withNextJSON builds this program with Go's next json package and has it measure
// the decoders: ours beside it in one process, as everywhere.
func withNextJSON(effort rows.Effort) (map[string]rows.Figure, error) {
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	child := filepath.Join(dir, "report")
	build := exec.Command("go", "build", "-o", child, "./report")
	build.Env = append(os.Environ(), "GOEXPERIMENT=jsonv2")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build with GOEXPERIMENT=jsonv2: %w\n%s", err, out)
	}
	var out bytes.Buffer
	run := exec.Command(child, "-json", fmt.Sprint("-turns=", effort.Turns), fmt.Sprint("-turn=", effort.Turn))
	run.Stdout, run.Stderr = &out, os.Stderr
	if err := run.Run(); err != nil {
		return nil, err
	}
	var figures map[string]rows.Figure
	return figures, json.Unmarshal(out.Bytes(), &figures)
}
