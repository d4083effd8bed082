package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"

	"github.com/walletfi/walletfi-go/webhooks"
)

// buryFunc stores a delivery that could not be handled.
type buryFunc = func(context.Context, *webhooks.Delivery, error) error

// deadLetters appends such deliveries to a file, for an operator to read.
func deadLetters(path string) buryFunc {
	return func(_ context.Context, d *webhooks.Delivery, cause error) (err error) {
		line, err := json.Marshal(map[string]string{"key": d.Key(), "cause": cause.Error(), "body": d.Raw.String()})
		if err != nil {
			return err
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		if _, err = file.Write(append(line, '\n')); err != nil {
			return err
		}
		return file.Sync()
	}
}
