// Program cancel_reports: What is called when the time is over sends, while main waits for the command to end by that.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// open: when the command calls Cancel is not known

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	stopped := make(chan bool)
	cmd := exec.CommandContext(ctx, os.Args[1])
	cmd.Cancel = func() error {
		stopped <- true
		return cmd.Process.Kill()
	}
	fmt.Println(cmd.Run())
	select {
	case <-stopped:
		fmt.Println("the time was over")
	default:
	}
}
