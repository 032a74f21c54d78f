package empire

// placeholder until Run is there
